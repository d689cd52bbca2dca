import { createApp } from "./app.js";

const port = Number(process.env["PORT"] ?? 3000);
const server = createApp(1).listen(port, "127.0.0.1", () => console.log(`for one proxy on http://127.0.0.1:${port}`));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.close());
