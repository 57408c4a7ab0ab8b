-- Takes tokens from token buckets with interval refill, all in one round trip. Each take is decided by itself, or two
-- takes as a pair: a token from each of two buckets, or from neither.
--
-- A bucket is one key. Its value is the number of tokens that it lacked after its last take. Its expiry is the instant
-- at which it is full again. Refills come together every period, the last one at that instant. So value and expiry give
-- both the tokens lacking now and the next refill. The script reads no clock and stores no time, and a full bucket has
-- no key.
--
-- KEYS  the buckets. A node of a cluster gets no keys: see ARGV
-- ARGV  only without KEYS: how many buckets, and then the buckets
--       the number of this call
--       capacity, refill (tokens a period), period (ms): the policy of the first bucket and of those that follow
--       then, as often as needed, first all of policies:
--         'policy', i, capacity, refill, period   of bucket i (1 is the first) and of those that follow
--         'rival', refill, period                 of the policy before: a refill that other replicas use or used, while
--                                                 limits differ. There is then at least one, even if it is the
--                                                 policy's own
--         'former', refill, period, ended         of the policy before: a refill that was in use until a change of
--                                                 limits. ended is the instant of the change, in ms of Redis's clock
--         'again', i                              bucket i is one of those before it, too
--         'cost', i, tokens                       if not 1. 0 looks and never writes. A negative cost gives tokens
--                                                 back, to a full bucket at most
--         'due', i, ms                            for a charge: it takes as many tokens as there are, and the next
--                                                 refill comes in at most so many ms
--         'both', i, n                            buckets i and i + 1 are a pair, and so are n - 1 more pairs after
--                                                 them, all by the policies that are named for i and i + 1
-- Reply for each bucket: 2^32 × the tokens lacking afterwards + ms until the next refill, 0 if it is full. It is
--       negative if the take is refused. It is -1 if the take is not decided and nothing is written: another node of
--       the cluster has the bucket or the other bucket of its pair, or the first bucket of its pair refuses. If the
--       second bucket of a pair refuses, the reply for the first one is void. The last item is the number of this call,
--       so that the caller notices the reply to another call
--
-- A pair is decided before the next bucket. It is written if both buckets allow it.
--
-- A refused take writes nothing, unless the bucket does not fit its policy: it lost its expiry (PERSIST), the policy
-- changed, or the server's clock stepped back. The script repairs such a bucket. It then lacks no more than before and
-- no more than its capacity, and gets its next refill within one period. While limits differ, the script repairs only a
-- lost expiry. It then reads a bucket as the emptiest that any refill in use allows by its value and expiry.
--
-- If a former refill may have written a bucket last, the bucket lacks the larger of what that refill and the policy's
-- mean, and its next refill comes after a whole period. The expiry identifies such a bucket: it is no later than the
-- end of the former refill plus the time in which that refill fills the bucket. If the end is in the future, the clock
-- stepped back. Then nothing is identified, because what the policy itself writes until the end looks the same.

local MAX_INTEGER = 9007199254740991
-- The most tokens lacking that a reply has room for. Only a bucket that was written by hand lacks more.
local MAX_TOLD = 2097151
local UNDECIDED = -1
-- After this time every replica has followed a change. The script does not distinguish refills whose times to the full
-- bucket differ by no more than that.
local FOLLOWED_MS = 5000

-- Locals are faster than globals, and `+ 0` is faster than tonumber, but only for text that is certainly a number.
local call, pcall, tonumber, keys, argv = redis.call, redis.pcall, tonumber, KEYS, ARGV
local count, before, at = #keys, 0, 1
local declared = count > 0
if not declared then
  keys, count, before, at = argv, argv[1] + 0, 1, argv[1] + 2
end
local number_at = at
local period_text = argv[at + 3]
local capacity, refill, period = argv[at + 1] + 0, argv[at + 2] + 0, period_text + 0
at = at + 4

local policies, costs, dues, seconds, again
-- `held` is the write for the first bucket of a pair. It waits until the second one allows the take, too. `hold` defers
-- it.
local held, hold
if argv[at] then
  local policy = { capacity, refill, period, period_text }
  policies, costs, dues = { policy }, {}, {}
  while argv[at] do
    local what, first, second = argv[at], argv[at + 1] + 0, argv[at + 2]
    if what == 'again' then
      again = again or {}
      again[first] = true
      at = at + 2
    elseif what == 'policy' then
      policy = { second + 0, argv[at + 3] + 0, argv[at + 4] + 0, argv[at + 4] }
      policies[first] = policy
      at = at + 5
    elseif what == 'former' then
      policy.former = policy.former or {}
      table.insert(policy.former, { first, second + 0, argv[at + 3] + 0 })
      at = at + 4
    else
      if what == 'rival' then
        policy.rivals = policy.rivals or {}
        table.insert(policy.rivals, { first, second + 0 })
      elseif what == 'cost' then
        costs[first] = second
      elseif what == 'both' then
        seconds = seconds or {}
        hold = function (...) held = { ... } end
        for i = first, first + 2 * second - 2, 2 do
          policies[i], policies[i + 1], seconds[i + 1] = policies[first], policies[first + 1], true
        end
      else
        dues[first] = second + 0
      end
      at = at + 3
    end
  end
end

-- One MGET takes a fraction of the time of a GET for each bucket. A bucket that occurs again is read again. A user
-- without the right to MGET reads one by one.
local values = declared and count > 1 and pcall('MGET', unpack(keys))
if values and values.err then
  values = nil
end

-- Redis's clock, from the first bucket whose expiry moves. For later buckets, PEXPIRETIME alone then gives both the
-- time that is left and the expiry to move.
local now
local rival, former
-- The reply for a bucket takes the place of its value.
local reply = values or {}

for i = 1, count do
  local key = keys[i + before]
  local cost, cost_text, due, is_first, of_first, left_out = 1, '1', nil, nil, nil, nil
  if policies then
    local policy = policies[i]
    if policy then
      capacity, refill, period, period_text = policy[1], policy[2], policy[3], policy[4]
      rival, former = policy.rivals, policy.former
    end
    cost_text, due = costs[i] or '1', dues[i]
    cost = cost_text + 0
    if seconds then
      is_first, of_first, held = seconds[i + 1], held, nil
      left_out = seconds[i] and not of_first
    end
  end
  local lacking, next_in, full_in, misfit, expiry = 0, period, 0, false, nil

  -- A missing key is a full bucket, and so is a value that this script cannot have written. If Redis refuses to read a
  -- key for another reason than its type, the call fails, or on a node of a cluster the take is not decided.
  local value
  if values and not (again and again[i]) then
    value = values[i]
  elseif not left_out then
    value = pcall('GET', key)
  end
  local stored = value and tonumber(value)
  local unread = not stored and value and type(value) == 'table' and not string.find(value.err, '^WRONGTYPE')
  if unread and declared then
    return value
  elseif unread or left_out then
    reply[i] = UNDECIDED
    if of_first then
      reply[i - 1] = UNDECIDED
    end
  else
    if stored and stored >= 1 and stored <= MAX_INTEGER then
      stored = stored - stored % 1
      if now then
        expiry = call('PEXPIRETIME', key)
        full_in = expiry < 0 and expiry or expiry > now and expiry - now or 0
      else
        full_in = call('PTTL', key)
      end
      if full_in >= 0 then
        -- The last refill brings what is left after full ones. Every refill before it brings `refill`.
        next_in = (full_in - 1) % period + 1
        lacking = (full_in - next_in) / period * refill + (stored - 1) % refill + 1
      end
      -- If the expiry is lost, or farther away than all refills take, the next refill is not known.
      if full_in < 0 or lacking > stored then
        lacking, next_in, misfit = stored, period, true
      end
      if former and full_in > 0 then
        expiry = expiry or call('PEXPIRETIME', key)
        local own_time = math.ceil(stored / refill) * period
        for _, other in ipairs(former) do
          local its_refill, its_period, since = other[1], other[2], expiry - full_in - other[3]
          local its_time = math.ceil(stored / its_refill) * its_period + FOLLOWED_MS
          if since >= -FOLLOWED_MS and since + full_in <= its_time and its_time < own_time then
            local its_lacking = math.floor((full_in - 1) / its_period) * its_refill + (stored - 1) % its_refill + 1
            lacking, next_in, misfit = math.max(lacking, math.min(its_lacking, stored)), period, true
          end
        end
      end
      if rival then
        for _, other in ipairs(rival) do
          local its_refill, its_period = other[1], other[2]
          local its_next_in = (full_in - 1) % its_period + 1
          local its_lacking = (full_in - its_next_in) / its_period * its_refill + (stored - 1) % its_refill + 1
          -- This refill cannot have written an expiry that is farther away than its own refills take.
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
    end

    local allowed = lacking + cost <= capacity or cost <= 0
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
    if of_first and allowed then
      call(unpack(of_first))
    end
    if lacking == 0 and cost < 0 then
      call('DEL', key)
    elseif (cost ~= 0 or due) and (allowed or misfit and (not rival or full_in < 0)) then
      local new_full_in = lacking == 0 and 0 or next_in + (lacking - 1 - (lacking - 1) % refill) / refill * period
      -- Expiries move by as much as they change, from where they are. Before 7.2, Redis's clock continues between the
      -- calls of a script.
      local moved
      if full_in > 0 and new_full_in ~= full_in then
        expiry = expiry or call('PEXPIRETIME', key)
        now = now or expiry - full_in
        moved = expiry + new_full_in - full_in
      end
      -- If no refill came since the last take, as in every burst, INCRBY and PEXPIREAT cost less than SET with an
      -- expiry. SET writes the same if INCRBY fails.
      local set = is_first and allowed and hold or call
      if set == call and not misfit and lacking - cost == stored and
        pcall('INCRBY', key, due and cost or cost_text) == lacking then
        if moved then
          call('PEXPIREAT', key, moved)
        end
      elseif moved then
        set('SET', key, lacking, 'PXAT', moved)
      elseif full_in > 0 then
        set('SET', key, lacking, 'KEEPTTL')
      else
        -- Most are the first take from a full bucket. Redis writes a text faster than a number.
        set('SET', key, lacking == cost and not due and cost_text or lacking,
          'PX', new_full_in == period and period_text or new_full_in)
      end
    end

    local told = lacking == 0 and 0 or (lacking > MAX_TOLD and MAX_TOLD or lacking) * 4294967296 + next_in
    reply[i] = allowed and told or -told
  end
end

reply[count + 1] = argv[number_at] + 0
return reply
