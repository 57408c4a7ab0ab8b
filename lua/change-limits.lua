-- Sets the document of limits, unless somebody has changed it since it was read.
--
-- KEYS  the document
-- ARGV  the text that was read, empty for none; the new text
-- Reply 1 if it was set, 0 if another text is there

if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
