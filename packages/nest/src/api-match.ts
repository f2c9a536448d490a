import type { Match } from '@hv/router'
import { type ExecutionContext, createParamDecorator } from '@nestjs/common'

/**
 * A parameter decorator for the version, format and row that serve the request.
 *
 * @example show(@ApiMatch() { version }: Match) { return { version } }
 */
export const ApiMatch: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<{ apiMatch: Match }>().apiMatch,
)
