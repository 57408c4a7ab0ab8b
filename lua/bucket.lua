-- What a bucket is. This stands in front of each script of buckets when they are loaded.
--
-- A bucket is one key, and a full bucket has no key. Its expiry is the instant at which it is full again. Its value is
-- an integer of 16 digits, u nnn rrrrr lllllll. It says by which refill the bucket was taken from last, and what it
-- lacked then:
--
--   u        the unit of the period: 1 second, 2 minute, 3 hour, 4 day
--   nnn      how many of them: 1 to 999
--   rrrrr    the refill: the tokens that come together every period, 1 to 99,999
--   lllllll  the tokens that the bucket lacked after its last take or return
--
-- 2001000100000003 lacked 3 tokens and gets 10 every minute. All times are in ms.
--
-- These functions get everything as arguments. Variables that they captured would cost each call as much as a step of
-- the algorithm.

local call, pcall = redis.call, redis.pcall

-- Takes a value and the time to live of its key (0 in its last ms). A kind is a value without its tokens; the caller
-- may hand in the one that it knows with its refill and period, which are then not decoded again. Returns
--   the tokens lacking now
--   the time until the next refill
--   the tokens lacking after the last take or return
--   whether the expiry is broken: lost, or farther away than all refills take because the clock stepped back
--   the kind of the value, its refill and its period
local function read (value, full_in, kind, refill, period)
  local lacked = value % 10000000
  if value - lacked ~= kind then
    kind = value - lacked
    local digits = kind / 10000000
    refill = digits % 100000
    local time = (digits - refill) / 100000
    local unit = (time - time % 1000) / 1000
    period = time % 1000 * (unit == 1 and 1000 or unit == 2 and 60000 or unit == 3 and 3600000 or 86400000)
  end
  local next_in = (full_in - 1) % period + 1
  local lacking = (full_in - next_in) / period * refill + (lacked - 1) % refill + 1
  if full_in < 0 or lacking > lacked then
    return lacked, period, lacked, true, kind, refill, period
  end
  return lacking > 0 and lacking or 0, next_in, lacked, false, kind, refill, period
end

-- The time until a bucket is full. The last refill brings what is left after full ones.
local function fill_time (lacking, next_in, refill, period)
  return next_in + (lacking - 1 - (lacking - 1) % refill) / refill * period
end

