import express from "express";
import { rateLimit, type RateLimitOptions } from "@aforo/express";
import { tell } from "./story.js";

const options: RateLimitOptions = { limit: "2/day", algorithm: "fixed-window" };
const app = express();
app.use(rateLimit(options));
app.get("/", (req, res) => {
  res.send(`${req.rateLimit?.remaining} left`);
});
const server = app.listen(0, () => void tell(server));
