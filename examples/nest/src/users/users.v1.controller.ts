import { Body, Controller, HttpCode, Param, ParseIntPipe, UseGuards } from '@nestjs/common'
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger'
import { AdminGuard } from '../admin.guard.ts'
import { UsersService } from './users.service.ts'
import { CreateUserV1, UserV1 } from './users.v1.dto.ts'

@ApiTags('users')
@Controller()
export class UsersV1 {
  constructor(protected readonly users: UsersService) {}

  @ApiOkResponse({ type: [UserV1] })
  index(): object[] {
    return this.users.list().map((user) => new UserV1(user))
  }

  @ApiOkResponse({ type: UserV1 })
  show(@Param('id', ParseIntPipe) id: number): object {
    return new UserV1(this.users.find(id))
  }

  @ApiCreatedResponse({ type: UserV1 })
  create(@Body() { name }: CreateUserV1): object {
    return new UserV1(this.users.create(splitName(name)))
  }

  /** Version 2 inherits the method, and its guard with it. */
  @ApiBearerAuth()
  @ApiNoContentResponse()
  @UseGuards(AdminGuard)
  @HttpCode(204)
  destroy(@Param('id', ParseIntPipe) id: number): void {
    this.users.remove(id)
  }
}

export function splitName(name: string): { first: string; last: string } {
  const [first = '', ...last] = name.split(' ')
  return { first, last: last.join(' ') }
}
