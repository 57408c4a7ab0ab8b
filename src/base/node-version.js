// Imported before anything that an old Node cannot load, and run by `npm start` before there is a build. So it is
// JavaScript that every Node with modules can read. What is needed stands in package.json's `engines` alone.
import { createRequire } from 'module'

const { engines } = createRequire(import.meta.url)('#package.json')
const [major, minor] = process.versions.node.split('.').map(Number)

/** Such as `^20.19.0` and `>=22.12.0`. */
const ranges = engines.node.split('||').map(range => {
  const [fromMajor, fromMinor] = range.match(/\d+/g).map(Number)
  const oneMajor = range.includes('^')
  return {
    fits: (major === fromMajor && minor >= fromMinor) || (major > fromMajor && !oneMajor),
    text: `${oneMajor ? `${fromMajor} from ` : ''}${fromMajor}.${fromMinor}${oneMajor ? '' : ' or later'}`
  }
})

if (!ranges.some(({ fits }) => fits)) {
  process.stderr.write(
    `gatehouse needs Node ${ranges.map(({ text }) => text).join(', or ')}; this is Node ${process.versions.node}.\n`
  )
  process.exit(1)
}
