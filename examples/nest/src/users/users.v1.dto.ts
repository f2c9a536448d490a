import { ApiProperty } from '@nestjs/swagger'
import { IsString, MinLength } from 'class-validator'
import type { User } from './users.service.ts'

export class CreateUserV1 {
  @ApiProperty({ example: 'Bob Ray' })
  @IsString()
  @MinLength(2)
  name!: string
}

export class UserV1 {
  @ApiProperty({ example: 7 })
  id: number

  @ApiProperty({ example: 'Ann Lee' })
  name: string

  constructor({ id, first, last }: User) {
    this.id = id
    this.name = `${first} ${last}`.trim()
  }
}
