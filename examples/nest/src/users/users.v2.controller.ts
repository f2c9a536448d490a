import { Body, Controller, Param, ParseIntPipe } from '@nestjs/common'
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger'
import { UsersV1, splitName } from './users.v1.controller.ts'
import { CreateUserV2, UserV2 } from './users.v2.dto.ts'

@Controller()
export class UsersV2 extends UsersV1 {
  @ApiOkResponse({ type: [UserV2] })
  override index(): object[] {
    return this.users.list().map((user) => new UserV2(user))
  }

  @ApiOkResponse({ type: UserV2 })
  override show(@Param('id', ParseIntPipe) id: number): object {
    return new UserV2(this.users.find(id))
  }

  @ApiCreatedResponse({ type: UserV2 })
  override create(@Body() { name, email }: CreateUserV2): object {
    return new UserV2(this.users.create({ ...splitName(name), email }))
  }
}
