-- Looks at one bucket, or gives a token back to it. The next refill stays where it is.
--
-- KEYS  the bucket
-- ARGV  the number of this call; how many tokens come back: 0 looks, and writes nothing
-- Reply the number of this call, as it came. For a bucket that is not full also: the tokens lacking afterwards, what
--       was lacking after the last take, ms until the next refill, and the refill and the period (ms) of the bucket

local call, key, returned = redis.call, KEYS[1], ARGV[2] + 0
local value = call('GET', key)
if not value then return { ARGV[1] } end
local full_in = call('PTTL', key)
local lacking, next_in, lacked, broken, kind, refill, period
--- @include bucket.lua
local after = lacking > returned and lacking - returned or 0
if returned > 0 then
  -- This also keeps the token that a refill brought after a cut of the capacity.
  lacked = lacked - returned
  local fill_time = next_in + ((after + -after % refill) / refill - 1) * period
  if after == 0 then
    call('DEL', key)
  elseif broken then
    call('SET', key, kind + lacked, 'PX', fill_time)
  else
    call('SET', key, kind + lacked, 'PXAT', call('PEXPIRETIME', key) + fill_time - full_in)
  end
end
if after == 0 then return { ARGV[1] } end
return { ARGV[1], after, lacked, next_in, refill, period }
