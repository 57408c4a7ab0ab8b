-- Takes tokens from token buckets with interval refill, each take on its own, all in one round trip.
--
-- A bucket is one key. Its value is the number of tokens it lacked after its last take; its expiry is the instant at
-- which it is full again. Refills come together every period, the last one at that instant, so both the tokens lacking
-- now and the next refill follow from the two: no clock is read, no time is stored, and a full bucket is no key at all.
--
-- KEYS  the buckets
-- ARGV  for each bucket: capacity, refill (tokens a period), period (ms), cost (tokens; 0 looks and never writes)
-- Reply for each bucket: tokens lacking afterwards, negative if refused; ms until it is full
--
-- A refused take writes nothing, but for a bucket that does not fit its policy: its expiry was lost (PERSIST), the
-- policy changed, or the server's clock stepped back. Such a bucket is mended so that it lacks no more than it did, and
-- no more than its capacity, and gets its next refill within one period.

local MAX_INTEGER = 9007199254740991
local ceil, floor = math.ceil, math.floor
local reply = {}

for i, key in ipairs(KEYS) do
  local at = 4 * i
  local capacity, refill = tonumber(ARGV[at - 3]), tonumber(ARGV[at - 2])
  local period, cost = tonumber(ARGV[at - 1]), tonumber(ARGV[at])

  local stored = redis.pcall('GET', key)
  local lacking = type(stored) == 'string' and tonumber(stored) or 0
  local next_in, misfit = period, false
  local refills_due -- until the key's expiry; nil while there is none to keep

  if lacking >= 1 and lacking <= MAX_INTEGER then
    lacking = floor(lacking)
    local refills = ceil(lacking / refill)
    local refills_left = refills
    local expires_in = redis.call('PTTL', key)
    if expires_in < 0 then
      misfit = true
    else
      refills_due = ceil(expires_in / period)
      next_in = expires_in - (refills_due - 1) * period
      misfit = refills_due > refills
      refills_left = misfit and refills or refills_due
    end
    lacking = lacking - (refills - refills_left) * refill
    if lacking > capacity then
      lacking, misfit = capacity, true
    end
  else
    lacking = 0 -- no bucket, or a value that is not one of ours
  end
  if lacking <= 0 then
    lacking, next_in, refills_due = 0, period, nil
  end

  local allowed = lacking + cost <= capacity
  if allowed then
    lacking = lacking + cost
  end
  local refills_left = ceil(lacking / refill)
  local full_in = lacking == 0 and 0 or next_in + (refills_left - 1) * period
  if cost > 0 and (allowed or misfit) then
    if refills_due == nil then
      redis.call('SET', key, lacking, 'PX', full_in)
    elseif refills_left == refills_due then
      redis.call('SET', key, lacking, 'KEEPTTL')
    else
      -- Moved by whole periods from where it was: before 7.2, Redis's clock goes on between the calls of a script.
      redis.call('SET', key, lacking, 'PXAT', redis.call('PEXPIRETIME', key) + (refills_left - refills_due) * period)
    end
  end

  reply[2 * i - 1] = allowed and lacking or -lacking
  reply[2 * i] = full_in
end

return reply
