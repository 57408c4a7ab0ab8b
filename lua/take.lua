-- Takes tokens from token buckets with interval refill, all in one round trip. Each take is decided on its own, or two
-- as a pair: a token from each of two buckets, or from neither.
--
-- A bucket is one key. Its value is the number of tokens it lacked after its last take; its expiry is the instant at
-- which it is full again. Refills come together every period, the last one at that instant, so both the tokens lacking
-- now and the next refill follow from the two: no clock is read, no time is stored, and a full bucket is no key at all.
--
-- KEYS  the buckets; the same one may come again. A node of a cluster gets none: see ARGV
-- ARGV  only without KEYS: how many buckets, and then the buckets
--       the number of this call
--       capacity, refill (tokens a period), period (ms): the policy of the first bucket and of those that follow
--       then, as often as needed, first all of policies:
--         'policy', i, capacity, refill, period   of bucket i (1 is the first) and of those that follow
--         'rival', refill, period                 that other replicas use or used while limits differ, for the policy before;
--                                                 at least once then, be it its own
--         'former', refill, period, ended         that was in use until a change of limits, for the policy before;
--                                                 ended is the instant of the change, in ms of Redis's clock
--         'cost', i, tokens                       if not 1; 0 looks and never writes, a negative one gives tokens back, to
--                                                 a full bucket at most
--         'due', i, ms                            for a charge: takes as many tokens as there are, and the next refill
--                                                 comes in so many ms at most
--         'both', i, n                            buckets i and i + 1 are taken from together, and so are n - 1 more
--                                                 pairs after them, all by the policies that are named for i and i + 1
-- Reply for each bucket: 2^32 × the tokens lacking afterwards + ms until the next refill, 0 if it is full; negative if
--       refused; -1 if it is not decided and not written: another node of the cluster has it or the other bucket of its
--       pair, or the first bucket of its pair refuses. If the second one refuses, the reply for the first one is void.
--       Then the number of this call, so that the reply to another one is noticed
--
-- A pair is decided as a whole before the next bucket, and written if both buckets allow it.
--
-- A refused take writes nothing, but for a bucket that does not fit its policy: its expiry was lost (PERSIST), the
-- policy changed, or the server's clock stepped back. Such a bucket is mended so that it lacks no more than it did, and
-- no more than its capacity, and gets its next refill within one period. While limits differ only a lost expiry is
-- mended, and a bucket lacks the most that any refill in use can mean by its value and expiry.
--
-- A bucket that a former refill may have written last lacks the more of what that refill and the policy's mean, and its
-- next refill comes after a whole period. Its expiry identifies it: no later than the end of the former refill plus the
-- time in which that refill fills the bucket. An end in the future identifies nothing: the clock stepped back, and what
-- the policy itself writes until then looks the same.

local MAX_INTEGER = 9007199254740991
-- The most tokens lacking that a reply has room for. More are only found in a bucket that was written by hand.
local MAX_TOLD = 2097151
local UNDECIDED = -1
-- Every replica has followed a change after this time. Refills whose times to the full bucket differ by no more than
-- that are not distinguished.
local FOLLOWED_MS = 5000

-- Locals are faster than globals, and `+ 0` than tonumber, but only for text that is sure to be a number.
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

local policies, costs, dues, seconds
-- The write for the first bucket of a pair, which waits until the second one allows it, too; and the function that
-- defers it.
local held, hold
if argv[at] then
  local policy = { capacity, refill, period, period_text }
  policies, costs, dues = { policy }, {}, {}
  while argv[at] do
    local what, first, second = argv[at], argv[at + 1] + 0, argv[at + 2]
    if what == 'policy' then
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

-- One MGET takes a fraction of a GET for each. Who may not use it reads them one by one.
local values = declared and count > 1 and pcall('MGET', unpack(keys))
local written
if values then
  if values.err then
    values = nil
  else
    written = {}
  end
end

-- Redis's clock, from the first bucket whose expiry moves: PEXPIRETIME then tells of the others both how long they have
-- and where they move from.
local now
local rival, former
local reply = {}

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

  -- No bucket, and a value that is not one of ours, are a full bucket. What Redis refuses to read is none.
  local value
  if values and not written[key] then
    value = values[i]
  elseif not left_out then
    value = pcall('GET', key)
  end
  local stored = tonumber(value)
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
        -- The last refill brings what is left after full ones, every one before it brings `refill`.
        next_in = (full_in - 1) % period + 1
        lacking = (full_in - next_in) / period * refill + (stored - 1) % refill + 1
      end
      -- An expiry that is lost, or farther away than all refills take, does not tell when the next one comes.
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
      if written then
        written[key] = true
      end
    elseif (cost ~= 0 or due) and (allowed or misfit and (not rival or full_in < 0)) then
      local new_full_in = lacking == 0 and 0 or next_in + (lacking - 1 - (lacking - 1) % refill) / refill * period
      -- Expiries move by as much as they change from where they are: before 7.2, Redis's clock goes on between a script's calls.
      local moved
      if full_in > 0 and new_full_in ~= full_in then
        expiry = expiry or call('PEXPIRETIME', key)
        now = now or expiry - full_in
        moved = expiry + new_full_in - full_in
      end
      -- No refill since the last take, as in every burst: INCRBY and PEXPIREAT cost less than SET with an expiry,
      -- which writes the same if INCRBY fails.
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
        -- Most are the first take from a full bucket. A number takes Redis longer to write than a text.
        set('SET', key, lacking == cost and not due and cost_text or lacking, 'PX', new_full_in == period and period_text or new_full_in)
      end
      if written then
        written[key] = true
      end
    end

    local told = lacking == 0 and 0 or (lacking > MAX_TOLD and MAX_TOLD or lacking) * 4294967296 + next_in
    reply[i] = allowed and told or -told
  end
end

reply[count + 1] = argv[number_at] + 0
return reply
