/*
 * The decoder of ioredis reads any byte as a digit, and allocates an array of any length that the peer announces. One
 * flipped bit in a length can move its cursor backwards, so that it loops forever. So the syntax is checked before the
 * decoder gets the bytes.
 */

/**
 * Limits of one reply. The largest that Redis sends is CLUSTER SLOTS: with 16384 ranges of one slot it is some 5 MB.
 */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_ITEMS = 1_000_000
const MAX_DEPTH = 8
/** The longest first line of a reply, except for a simple string or error. */
const MAX_HEAD = 64

/** What is allowed between the first byte of a reply and the end of its line. */
const HEADS: Record<string, RegExp> = {
  '+': /^/,
  '-': /^/,
  ':': /^[+-]?\d{1,19}$/,
  '(': /^[+-]?\d{1,60}$/,
  ',': /^[+-]?(\d{1,20}(\.\d{0,20})?(e[+-]?\d{1,4})?|inf|nan)$/i,
  '#': /^[tf]$/,
  _: /^$/,
  $: /^(-1|\d{1,9})$/,
  '!': /^\d{1,9}$/,
  // The length includes the format, such as `txt:`.
  '=': /^([4-9]|\d{2,9})$/,
  '*': /^(-1|\d{1,9})$/,
  '~': /^\d{1,9}$/,
  '%': /^\d{1,9}$/,
  '>': /^\d{1,9}$/
}

const [CR, LF] = [13, 10]

/**
 * Checks RESP2 and RESP3 as they arrive. It keeps no reply.
 *
 * @returns a function that takes the chunks of one connection in order, and throws at the first chunk that is not RESP,
 * or that belongs to a reply over the limits
 */
export function respSyntax (): (chunk: Buffer) => void {
  let expected: 'head' | 'text' | 'return' | 'feed' = 'head'
  let head = ''
  let textBytes = 0
  /** What comes after the next line feed. */
  let next: 'text' | 'item' | 'end' = 'end'
  /** For each open array, how many of its items are still missing. The innermost array is the last. */
  const open: number[] = []
  let items = 0
  let bytes = 0

  function read (chunk: Buffer, at: number): number {
    switch (expected) {
      case 'head': return readHead(chunk, at)
      case 'text': return readText(chunk, at)
      case 'return':
        if (chunk[at] !== CR) throw new Error('a text is not as long as it says')
        expected = 'feed'
        return at + 1
      case 'feed':
        if (chunk[at] !== LF) throw new Error('a line does not end with CR and LF')
        afterLine()
        return at + 1
    }
  }

  function readHead (chunk: Buffer, at: number): number {
    const cr = chunk.indexOf(CR, at)
    const end = cr === -1 ? chunk.length : cr
    // One byte more than is allowed shows that a line is too long.
    head += chunk.toString('latin1', at, Math.min(end, at + MAX_HEAD + 1 - head.length))
    if (cr === -1) return end
    parseHead(head.charAt(0), head.slice(1))
    head = ''
    expected = 'feed'
    return end + 1
  }

  function parseHead (type: string, rest: string): void {
    if (!HEADS[type]?.test(rest)) throw new Error('what came is not RESP')
    const count = '$!=*~>%'.includes(type) ? Number(rest) : -1
    if (count >= 0 && '$!='.includes(type)) {
      textBytes = count
      next = 'text'
    } else if (count > 0) {
      const length = type === '%' ? 2 * count : count
      items += length
      open.push(length)
      next = 'item'
    }
    if (textBytes > MAX_BYTES || items > MAX_ITEMS || open.length > MAX_DEPTH) throw new Error('a reply is too large')
  }

  function readText (chunk: Buffer, at: number): number {
    const end = Math.min(at + textBytes, chunk.length)
    textBytes -= end - at
    if (textBytes === 0) expected = 'return'
    return end
  }

  function afterLine (): void {
    expected = 'head'
    if (next === 'text') expected = textBytes > 0 ? 'text' : 'return'
    if (next === 'end') endItem()
    next = 'end'
  }

  /** The last item of an array also ends the array. */
  function endItem (): void {
    while (open.length > 0 && --open[open.length - 1]! === 0) open.pop()
    if (open.length > 0) return
    items = 0
    bytes = 0
  }

  return (chunk) => {
    for (let at = 0, from = 0; at < chunk.length; from = at) {
      at = read(chunk, at)
      bytes += at - from
      if (bytes > MAX_BYTES) throw new Error('a reply is too large')
    }
  }
}
