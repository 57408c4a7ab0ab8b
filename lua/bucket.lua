-- What a bucket is, and how it is read. This text stands in each script of buckets where the script names it. Functions
-- would cost Redis 4 % more a take.
--
-- A bucket is one key, and a full bucket has no key. Its expiry is the instant at which it is full again. Its value is
-- an integer of 16 digits, u nnn rrrrr lllllll. It says by which refill the bucket was taken from last, and what it
-- lacked then. Whatever else is under the key, such as text of another length, is not read and means a full bucket:
--
--   u        the unit of the period: 1 second, 2 minute, 3 hour, 4 day
--   nnn      how many of them: 1 to 999
--   rrrrr    the refill: the tokens that come together every period, 1 to 99,999
--   lllllll  the tokens that the bucket lacked after its last take or return
--
-- 2001000100000003 lacked 3 tokens and gets 10 every minute. All times are in ms. (n + -n % refill) / refill is the
-- number of refills that bring n tokens: the last one may bring more than is lacking, so n is rounded up.
--
-- Needs value, the key's value
--       full_in, its time to live: 0 in its last ms, -1 without an expiry
--       kind, a value without its tokens that is already decoded, with its refill and period. It may be nil
-- Sets  lacking, the tokens lacking now
--       next_in, the time until the next refill
--       lacked, the tokens lacking after the last take or return
--       broken, whether the expiry is lost, or farther away than all refills take because the clock stepped back
--       kind, refill and period of this bucket

local number = value + 0
lacked = number % 10000000
if number - lacked ~= kind then
  kind = number - lacked
  local digits = kind / 10000000
  refill = digits % 100000
  local time = (digits - refill) / 100000
  local unit = (time - time % 1000) / 1000
  period = time % 1000 * (unit == 1 and 1000 or unit == 2 and 60000 or unit == 3 and 3600000 or 86400000)
end
next_in = (full_in - 1) % period + 1
lacking = (full_in - next_in) / period * refill + (lacked - 1) % refill + 1
if full_in < 0 or lacking > lacked then
  lacking, next_in, broken = lacked, period, true
elseif lacking < 0 then
  lacking = 0
end
