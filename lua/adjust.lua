-- Looks at buckets, or gives a token back to each. The next refill stays where it is.
--
-- KEYS  the buckets
-- ARGV  the number of this call; how many tokens come back: 0 looks, and writes nothing
-- Reply the number of this call, as it came. Then five numbers for each bucket: the tokens lacking afterwards, what was
--       lacking after the last take, ms until the next refill, and the refill and the period (ms) of the bucket. All
--       are 0 for a full bucket

local call, returned = redis.call, ARGV[2] + 0
local values, reply = call('MGET', unpack(KEYS)), { ARGV[1] }
local kind, refill, period -- of the bucket that was read last

for i, key in ipairs(KEYS) do
  local value, after = values[i], 0
  local lacking, next_in, lacked, broken
  if value and #value == 16 then
    local full_in = call('PTTL', key)
    --- @include bucket.lua
    after = lacking > returned and lacking - returned or 0
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
  end
  local numbers = after == 0 and { 0, 0, 0, 0, 0 } or { after, lacked, next_in, refill, period }
  for place = 1, 5 do reply[5 * i - 4 + place] = numbers[place] end
end

return reply
