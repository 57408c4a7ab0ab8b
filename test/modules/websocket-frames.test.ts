// One direction of a WebSocket is passed on as it is, and a close frame is put between two frames or not at all.

import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { Frames } from '#src/modules/websocket-frames.js'

const ping = '\x89\x00'
const halfFrame = '\x82\x03ab'
const goodbye = '\x88\x02\x03\xe9'

function newFrames (): Frames {
  return new Frames(false).setEncoding('latin1')
}

for (const sent of [ping, halfFrame, '']) {
  t.test(`a direction that has ended after ${JSON.stringify(sent)} can still be told to go away`, async (t) => {
    const frames = newFrames()
    frames.end(sent, 'latin1')
    const received = text(frames)
    await once(frames, 'end')
    frames.goAway()
    t.equal(await received, sent)
  })
}

t.test('a close frame comes after a whole frame', async (t) => {
  const frames = newFrames()
  frames.write(ping, 'latin1')
  frames.goAway()
  frames.end()
  t.equal(await text(frames), ping + goodbye)
})

t.test('a close frame waits for the end of the current frame', async (t) => {
  const frames = newFrames()
  frames.write(halfFrame, 'latin1')
  frames.goAway()
  frames.end(`c${ping}`, 'latin1')
  t.equal(await text(frames), `${halfFrame}c${goodbye}`)
})

t.test('a frame that never ends is followed by no close frame', async (t) => {
  const frames = newFrames()
  frames.write(halfFrame, 'latin1')
  frames.goAway()
  frames.end()
  t.equal(await text(frames), halfFrame)
})

/** A frame with a payload of so many bytes, and its length in as few bytes as it may have, or in 8. */
function frame (length: number, masked: boolean, inEightBytes = false): Buffer {
  const mask = masked ? 0x80 : 0
  const header = length > 0xffff || inEightBytes
    ? [0x82, 127 | mask, 0, 0, 0, 0, 0, length >> 16, length >> 8 & 0xff, length & 0xff]
    : length > 125 ? [0x82, 126 | mask, length >> 8, length & 0xff] : [0x82, length | mask]
  return Buffer.concat([Buffer.from(header), Buffer.alloc((masked ? 4 : 0) + length, 0x88)])
}

t.test('a frame of any length ends where it says, however it is cut into chunks', async (t) => {
  const all = [0, 1, 125, 126, 127, 128, 255, 256, 65_535, 65_536, 70_000].flatMap(length =>
    [frame(length, false), frame(length, true), frame(length, false, true), frame(length, true, true)])
  for (const one of all) {
    for (const cut of [1, 2, 3, 5, 9, 11, 13, one.length - 1].filter(cut => cut > 0 && cut < one.length)) {
      const frames = newFrames()
      frames.write(one.subarray(0, cut))
      frames.goAway()
      frames.end(Buffer.concat([one.subarray(cut), Buffer.from(ping, 'latin1')]))
      const received = await text(frames)
      t.ok(received === one.toString('latin1') + goodbye, `${one.toString('hex', 0, 14)} of ${one.length} at ${cut}`)
    }
  }
})

t.test('frames that consist of a header only cost little CPU time', async (t) => {
  for (const empty of [ping, '\x89\x80\0\0\0\0']) {
    const bytes = Buffer.from(empty.repeat(65_536 / 2), 'latin1')
    const frames = newFrames().resume()
    const before = process.cpuUsage()
    for (let i = 0; i < 32; i++) frames.write(bytes)
    frames.end()
    await once(frames, 'end')
    const { user, system } = process.cpuUsage(before)
    const nsPerByte = 1000 * (user + system) / (32 * bytes.length)
    t.ok(nsPerByte < 100, `${Math.round(nsPerByte)} ns a byte`)
  }
})
