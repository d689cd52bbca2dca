if size == 1 then return came .. out[1] end
return came .. table.concat(out)
