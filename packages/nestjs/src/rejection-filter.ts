import type { ServerResponse } from "node:http";
import { payloadOf } from "@aforo/core/adapter";
import { Catch, type ArgumentsHost, type ExceptionFilter } from "@nestjs/common";
import { AnsweredException, SettledException } from "./exception.ts";

/** Fastify's reply, as far as a rejection needs it. */
interface FastifyReply {
  code(status: number): { send(body: string | Uint8Array): unknown };
}

/** Writes rejections byte for byte as the other adapters do. With `rejectWith: "throw"` the application's filters get them instead. */
export class RejectionFilter implements ExceptionFilter<AnsweredException | SettledException> {
  static {
    Catch(AnsweredException, SettledException)(this);
  }

  catch(exception: AnsweredException | SettledException, host: ArgumentsHost): void {
    // Nest itself would end a response that has begun.
    if (exception instanceof SettledException) return;
    const { rejection } = exception;
    const response = host.switchToHttp().getResponse<ServerResponse | FastifyReply>();
    if ("code" in response) {
      response.code(rejection.status).send(payloadOf(rejection));
      return;
    }
    response.statusCode = rejection.status;
    response.end(rejection.body);
  }
}
