-- Takes tokens from buckets of one policy, all in one round trip. Each bucket is decided by itself.
--
-- KEYS  the buckets, each once. A node of a cluster gets no keys: see ARGV
-- ARGV  only without KEYS: how many buckets, and then the buckets
--       the number of this call; capacity, refill and period (ms) of the policy; the value that lacks one token by it
--       pairs i, n: n takes want bucket i (1 is the first). One take wants each bucket without a pair
-- Reply for each bucket: 2^32 x the tokens lacking afterwards + ms until the next refill (exact to 2 million tokens and
--       49 days), negative if a take is refused; -1 if this node does not serve the bucket. Then the number of this
--       call, as it came. Then for each pair how many of its takes got a token

local call, pcall, format = redis.call, redis.pcall, string.format
local keys, count, key_offset, arg_offset = KEYS, #KEYS, 0, 1
if count == 0 then
  keys, count, key_offset, arg_offset = ARGV, ARGV[1] + 0, 1, ARGV[1] + 2
end
local capacity, own_refill, own_period = ARGV[arg_offset + 1] + 0, ARGV[arg_offset + 2] + 0, ARGV[arg_offset + 3] + 0
local one_lacking = ARGV[arg_offset + 4]
local own_kind = one_lacking - 1
local kind, refill, period = own_kind, own_refill, own_period -- of the bucket that was read last
local wanted_of = ARGV[arg_offset + 5] and {}
for i = arg_offset + 5, #ARGV, 2 do wanted_of[ARGV[i] + 0] = ARGV[i + 1] + 0 end

-- One MGET takes a fraction of the time of a GET for each bucket. It returns nil for a key of another type.
local values = key_offset == 0 and call('MGET', unpack(keys))
local reply = values or {}
-- Redis's clock, once it is known. Before 7.2 it goes on during a script, so expiries move from where they are.
local now

for i = 1, count do
  local key, wanted = keys[i + key_offset], wanted_of and wanted_of[i] or 1
  local value = values and values[i] or not values and pcall('GET', key)
  if key_offset > 0 and value and value.err then
    reply[i] = -1
  else
    local lacking, next_in, lacked, broken, expiry, full_in = 0, own_period
    if value and #value == 16 then
      if now then expiry = call('PEXPIRETIME', key) end
      full_in = expiry and (expiry < 0 and -1 or expiry > now and expiry - now or 0) or call('PTTL', key)
      --- @include bucket.lua
    end
    local granted = capacity - lacking
    if granted > wanted then
      granted = wanted
    elseif granted <= 0 then
      -- After a cut of the capacity, a bucket has one token once a refill has come, as its 429 said.
      granted = lacked > capacity and lacking < lacked and 1 or 0
    end
    local after = lacking + granted
    if granted > 0 then
      if kind ~= own_kind or lacking == 0 or broken then next_in = own_period end
      local fill_time = next_in + ((after + -after % own_refill) / own_refill - 1) * own_period
      if lacking == 0 or broken then
        call('SET', key, after == 1 and one_lacking or own_kind + after, 'PX', fill_time)
      else
        local moves = fill_time - full_in
        if moves ~= 0 or kind ~= own_kind or lacking ~= lacked then
          expiry = expiry or call('PEXPIRETIME', key)
          now = now or expiry - full_in
        end
        if kind ~= own_kind or lacking ~= lacked then
          call('SET', key, own_kind + after, 'PXAT', expiry + moves)
        else -- As in most takes of a burst. It keeps the expiry, and costs less than SET with one.
          call('INCRBY', key, granted == 1 and '1' or granted)
          if moves ~= 0 then call('PEXPIREAT', key, format('%d', expiry + moves)) end
        end
      end
    elseif broken then
      call('SET', key, value, 'PX', (lacked + -lacked % refill) / refill * period)
    end
    local packed = after * 4294967296 + next_in
    reply[i] = granted < wanted and -packed or packed
    if wanted > 1 then wanted_of[i] = granted end
  end
end

reply[count + 1] = ARGV[arg_offset]
for i = arg_offset + 5, #ARGV, 2 do reply[#reply + 1] = wanted_of[ARGV[i] + 0] end
return reply
