-- Changes the limits that hold on every replica, if nobody else has changed them since they were read.
--
-- KEYS  the hash of limits
-- ARGV  the version that was read, empty for none; then fields and their new values in turn, an empty value for none
-- Reply the word "limits", and 1 if the change was made, 0 if another version is there

if (redis.call('HGET', KEYS[1], ':version') or '') ~= ARGV[1] then
  return { 'limits', 0 }
end
for i = 2, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[1], ARGV[i])
  else
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
return { 'limits', 1 }
