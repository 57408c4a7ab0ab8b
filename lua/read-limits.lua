-- Reads the limits that hold on every replica, if they are others than those that are known.
--
-- KEYS  the hash of limits
-- ARGV  the most bytes and the most fields that are read; then the version that is known, left out for none
-- Reply the word "limits", then fields and their values in turn; 0 instead of them if that version is there
--       An error for what is no hash, and for more than is read: takes share the connection, and would wait for it, or
--       lose it

local function foreign(code, what)
  return redis.error_reply(code .. ' ' .. KEYS[1] .. ' ' .. what ..
    '. DEL it: a replica writes the limits in force back')
end

local version = redis.pcall('HGET', KEYS[1], ':version')
if type(version) == 'table' then
  return string.find(version.err, '^WRONGTYPE') and foreign('WRONGTYPE', 'is no hash') or version
end
if ARGV[3] and (version or '') == ARGV[3] then
  return { 'limits', 0 }
end
local reply = redis.call('HGETALL', KEYS[1])
local bytes = 0
for _, text in ipairs(reply) do
  bytes = bytes + #text
end
if bytes > tonumber(ARGV[1]) or #reply > 2 * tonumber(ARGV[2]) then
  return foreign('ERR', 'holds more than gatehouse writes there')
end
table.insert(reply, 1, 'limits')
return reply
