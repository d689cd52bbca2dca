local text = came .. ' ' .. rest .. ' ' .. string.char(values(out, 1, size < 4000 and size or 4000))
-- No more values than that fit on the stack at once.
for first = 4001, size, 4000 do
  local last = first + 3999
  text = text .. string.char(values(out, first, last < size and last or size))
end
return text
