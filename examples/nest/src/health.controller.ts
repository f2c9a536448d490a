import { Controller, Get } from '@nestjs/common'
import { ApiOkResponse } from '@nestjs/swagger'

/** An ordinary Nest route, without versions. */
@Controller('health')
export class HealthController {
  @ApiOkResponse({ schema: { type: 'object', properties: { ok: { type: 'boolean' } } } })
  @Get()
  show(): object {
    return { ok: true }
  }
}
