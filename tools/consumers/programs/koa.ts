import Koa from "koa";
import { rateLimit } from "@aforo/koa";
import { tell } from "./story.js";

const app = new Koa();
app.use(rateLimit({ limit: "2/day", algorithm: "fixed-window" }));
app.use((ctx) => {
  ctx.body = `${ctx.state.rateLimit?.remaining} left`;
});
const server = app.listen(0, () => void tell(server));
