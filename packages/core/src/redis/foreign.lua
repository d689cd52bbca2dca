-- Blocked, no number, or one that is too large; other errors are not the key's and are raised again.
if not string.find(moved.err, 'integer', 1, true) and not string.find(moved.err, 'overflow', 1, true)
  and not string.find(moved.err, 'WRONGTYPE', 1, true) then
  redis.call('INCRBY', key, increment_of_key)
end
