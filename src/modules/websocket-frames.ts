import { Transform, type TransformCallback } from 'node:stream'

/** "Going away" (RFC 6455, 7.4.1): the client may connect again, elsewhere. */
const GOING_AWAY = 1001

/**
 * One direction of a WebSocket, passed on unchanged. It tracks where each frame ends, so that a close frame can be
 * inserted between two frames.
 */
export class Frames extends Transform {
  /** How many bytes of the current header have arrived, and what its second byte says about the rest. */
  #headerBytes = 0
  #lengthBytes = 0
  #maskBytes = 0
  #length = 0
  #payloadLeft = 0
  #goingAway = false
  #closed = false

  /** @param masked whether the frames go to a server: a client has to mask its own */
  constructor (readonly masked: boolean) {
    super()
  }

  /** Ends this direction with a close frame after the current frame. */
  goAway (): void {
    this.#goingAway = true
    if (this.#atBoundary) this.#close()
  }

  get #atBoundary (): boolean {
    return this.#payloadLeft === 0 && this.#headerBytes === 0
  }

  #close (): void {
    if (this.#closed) return
    this.#closed = true
    // A mask of zeros leaves the two bytes of the code as they are.
    const length = this.masked ? [0x82, 0, 0, 0, 0] : [0x02]
    this.push(Buffer.from([0x88, ...length, GOING_AWAY >> 8, GOING_AWAY & 0xff]))
    this.push(null)
  }

  /** The sender has ended this direction, and to push after the end is a stream error. */
  override _flush (done: TransformCallback): void {
    this.#closed = true
    done()
  }

  override _transform (chunk: Buffer, _encoding: string, done: TransformCallback): void {
    if (this.#closed) return done()
    let at = 0
    while (at < chunk.length && !(this.#goingAway && this.#atBoundary)) {
      const length = this.#payloadLeft > 0 ? Math.min(this.#payloadLeft, chunk.length - at) : 1
      if (this.#payloadLeft > 0) this.#payloadLeft -= length
      else this.#readHeader(chunk[at]!)
      at += length
    }
    this.push(at === chunk.length ? chunk : chunk.subarray(0, at))
    if (this.#goingAway && this.#atBoundary) this.#close()
    done()
  }

  /**
   * RFC 6455, 5.2: two bytes, the rest of the length, a mask, and then the payload. A frame may consist of a header
   * only, so reading a byte of it must be very cheap.
   */
  #readHeader (byte: number): void {
    const at = this.#headerBytes++
    if (at === 0) return
    if (at === 1) {
      const short = byte & 0x7f
      this.#lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0
      this.#maskBytes = byte & 0x80 ? 4 : 0
      this.#length = this.#lengthBytes === 0 ? short : 0
    } else if (at < 2 + this.#lengthBytes) this.#length = this.#length * 256 + byte
    if (at + 1 < 2 + this.#lengthBytes + this.#maskBytes) return
    this.#payloadLeft = this.#length
    this.#headerBytes = 0
  }
}
