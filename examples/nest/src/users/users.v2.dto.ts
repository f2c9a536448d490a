import { ApiProperty } from '@nestjs/swagger'
import { IsEmail } from 'class-validator'
import type { User } from './users.service.ts'
import { CreateUserV1 } from './users.v1.dto.ts'

/** Version 2 requires an email. */
export class CreateUserV2 extends CreateUserV1 {
  @ApiProperty({ example: 'bob@acme.example' })
  @IsEmail()
  email!: string
}

/** Version 2 splits the name. */
export class UserV2 {
  @ApiProperty({ example: 7 })
  id: number

  @ApiProperty({ example: 'Ann' })
  first: string

  @ApiProperty({ example: 'Lee' })
  last: string

  @ApiProperty({ example: 'ann@acme.example', required: false })
  email?: string

  constructor({ id, first, last, email }: User) {
    this.id = id
    this.first = first
    this.last = last
    if (email !== undefined) this.email = email
  }
}
