-- Takes tokens from token buckets with interval refill, each take on its own, all in one round trip.
--
-- A bucket is one key. Its value is the number of tokens it lacked after its last take; its expiry is the instant at
-- which it is full again. Refills come together every period, the last one at that instant, so both the tokens lacking
-- now and the next refill follow from the two: no clock is read, no time is stored, and a full bucket is no key at all.
--
-- KEYS  the buckets
-- ARGV  for each bucket: capacity, refill (tokens a period), period (ms), cost (tokens; 0 looks and never writes, a
--       negative one gives tokens back, to a full bucket at most); then the number of this call; then, for a few buckets
--       only, three numbers each, as often as needed: the bucket's position in KEYS, and
--         refill, period   that other replicas use or used for it while limits differ, at least once, be it its own
--         0, ms            for a charge: takes as many tokens as there are, and the next refill comes in so many ms at most
-- Reply for each bucket: tokens lacking afterwards, negative if refused; ms until it is full; then the number of this
--       call, so that the reply to another one is noticed
--
-- A refused take writes nothing, but for a bucket that does not fit its policy: its expiry was lost (PERSIST), the
-- policy changed, or the server's clock stepped back. Such a bucket is mended so that it lacks no more than it did, and
-- no more than its capacity, and gets its next refill within one period. While limits differ only a lost expiry is
-- mended, and a bucket lacks the most that any refill in use can mean by its value and expiry.

local MAX_INTEGER = 9007199254740991
-- Locals are faster than globals, and `+ 0` than tonumber, but only for text that is sure to be a number.
local call, pcall, tonumber, keys, argv = redis.call, redis.pcall, tonumber, KEYS, ARGV
local reply = { 0, 0 }

local number_at = 4 * #keys + 1
local rivals, dues
if argv[number_at + 1] then
  rivals, dues = {}, {}
  for at = number_at + 1, #argv, 3 do
    local i, refill, ms = argv[at] + 0, argv[at + 1] + 0, argv[at + 2] + 0
    if refill == 0 then
      dues[i] = ms
    else
      rivals[i] = rivals[i] or {}
      table.insert(rivals[i], { refill, ms })
    end
  end
end

for i = 1, #keys do
  local key, at = keys[i], 4 * i
  local capacity, refill, period, cost = argv[at - 3] + 0, argv[at - 2] + 0, argv[at - 1] + 0, argv[at] + 0
  local lacking, next_in, full_in, misfit = 0, period, 0, false
  local rival = rivals and rivals[i]

  -- No bucket, and a value that is not one of ours, are a full bucket. What Redis refuses to read is none.
  local value = pcall('GET', key)
  local stored = tonumber(value)
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
    if rival then
      for _, other in ipairs(rival) do
        local its_refill, its_period = other[1], other[2]
        local its_next_in = (full_in - 1) % its_period + 1
        local its_lacking = (full_in - its_next_in) / its_period * its_refill + (stored - 1) % its_refill + 1
        -- It cannot have written an expiry that is farther away than its own refills take.
        if its_lacking <= stored and its_lacking > lacking then
          lacking, next_in = its_lacking, period
        end
      end
    elseif lacking > capacity then
      lacking, misfit = capacity, true
    end
    if lacking <= 0 then
      lacking, next_in = 0, period
    end
  elseif type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
    return value
  end

  local allowed = lacking + cost <= capacity or cost <= 0
  local due = dues and dues[i]
  if due then
    if not allowed then
      allowed, cost = true, math.max(0, capacity - lacking)
    end
    next_in = math.min(next_in, due)
  end
  if allowed then
    lacking = lacking + cost
    if lacking < 0 then
      lacking = 0
    end
  end
  local new_full_in = lacking == 0 and 0 or next_in + (lacking - 1 - (lacking - 1) % refill) / refill * period
  if lacking == 0 and cost < 0 then
    call('DEL', key)
  elseif (cost ~= 0 or due) and (allowed or misfit and (not rival or full_in < 0)) then
    -- Expiries move by as much as they change from where they are: before 7.2, Redis's clock goes on between a script's calls.
    local moved = full_in > 0 and new_full_in ~= full_in and call('PEXPIRETIME', key) + new_full_in - full_in
    -- No refill since the last take, as in every burst: INCRBY and PEXPIREAT cost less than SET with an expiry,
    -- which writes the same if INCRBY fails.
    if not misfit and lacking - cost == stored and pcall('INCRBY', key, due and cost or argv[at]) == lacking then
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

reply[2 * #keys + 1] = argv[number_at] + 0
return reply
