-- Twin of algorithms/leaky-bucket.ts. How long to wait follows from what is reported; it changes no state.
local leaky_bucket = bucket
