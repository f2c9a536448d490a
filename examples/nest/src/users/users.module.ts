import { Module } from '@nestjs/common'
import { AdminGuard } from '../admin.guard.ts'
import { UsersService } from './users.service.ts'
import { UsersV1 } from './users.v1.controller.ts'
import { UsersV2 } from './users.v2.controller.ts'

@Module({ controllers: [UsersV1, UsersV2], providers: [UsersService, AdminGuard] })
export class UsersModule {}
