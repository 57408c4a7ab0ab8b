-- Takes tokens from token buckets with interval refill, each take on its own, all in one round trip.
--
-- A bucket is one key. Its value is the number of tokens it lacked after its last take; its expiry is the instant at
-- which it is full again. Refills come together every period, the last one at that instant, so both the tokens lacking
-- now and the next refill follow from the two: no clock is read, no time is stored, and a full bucket is no key at all.
--
-- KEYS  the buckets
-- ARGV  for each bucket: capacity, refill (tokens a period), period (ms), cost (tokens; 0 looks and never writes, a
--       negative one gives tokens back, to a full bucket at most)
-- Reply for each bucket: tokens lacking afterwards, negative if refused; ms until it is full
--
-- A refused take writes nothing, but for a bucket that does not fit its policy: its expiry was lost (PERSIST), the
-- policy changed, or the server's clock stepped back. Such a bucket is mended so that it lacks no more than it did, and
-- no more than its capacity, and gets its next refill within one period.

local MAX_INTEGER = 9007199254740991
-- Locals are faster than globals, and `+ 0` than tonumber, but only for text that is sure to be a number.
local call, pcall, tonumber, keys, argv = redis.call, redis.pcall, tonumber, KEYS, ARGV
local reply = { 0, 0 }

for i = 1, #keys do
  local key, at = keys[i], 4 * i
  local capacity, refill, period, cost = argv[at - 3] + 0, argv[at - 2] + 0, argv[at - 1] + 0, argv[at] + 0
  local lacking, next_in, full_in, misfit = 0, period, 0, false

  -- No bucket, and a value that is not one of ours, are a full bucket.
  local stored = tonumber(pcall('GET', key))
  if stored and stored >= 1 and stored <= MAX_INTEGER then
    stored = stored - stored % 1
    full_in = call('PTTL', key)
    if full_in >= 0 then
      -- The last refill brings what is left after full ones, every one before it brings `refill`.
      next_in = (full_in - 1) % period + 1
      lacking = (full_in - next_in) / period * refill + (stored - 1) % refill + 1
    end
    if full_in < 0 or lacking > stored then
      lacking, misfit = stored, true
    end
    if lacking > capacity then
      lacking, misfit = capacity, true
    end
    if lacking <= 0 then
      lacking, next_in = 0, period
    end
  end

  local allowed = lacking + cost <= capacity
  if allowed then
    lacking = lacking + cost
    if lacking < 0 then
      lacking = 0
    end
  end
  local new_full_in = lacking == 0 and 0 or next_in + (lacking - 1 - (lacking - 1) % refill) / refill * period
  if lacking == 0 and cost < 0 then
    call('DEL', key)
  elseif cost ~= 0 and (allowed or misfit) then
    -- Expiries move by whole periods from where they are: before 7.2, Redis's clock goes on between a script's calls.
    local moved = full_in > 0 and new_full_in ~= full_in and call('PEXPIRETIME', key) + new_full_in - full_in
    -- No refill since the last take, as in every burst: INCRBY and PEXPIREAT cost less than SET with an expiry.
    if not misfit and lacking - cost == stored and pcall('INCRBY', key, argv[at]) == lacking then
      if moved then
        call('PEXPIREAT', key, moved)
      end
    elseif moved then
      call('SET', key, lacking, 'PXAT', moved)
    elseif full_in > 0 then
      call('SET', key, lacking, 'KEEPTTL')
    else
      call('SET', key, lacking, 'PX', new_full_in)
    end
  end

  reply[2 * i - 1] = allowed and lacking or -lacking
  reply[2 * i] = new_full_in
end

return reply
