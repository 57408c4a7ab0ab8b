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

t.test('a close frame waits for the frame under way', async (t) => {
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
