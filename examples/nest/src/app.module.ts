import { VersionedApiModule } from '@hv/router-nest'
import { Module, ValidationPipe } from '@nestjs/common'
import { APP_PIPE } from '@nestjs/core'
import { HealthController } from './health.controller.ts'
import { routes } from './routes.ts'
import { UsersModule } from './users/users.module.ts'
import { UsersV1 } from './users/users.v1.controller.ts'
import { UsersV2 } from './users/users.v2.controller.ts'

export const controllers = { 1: { users: UsersV1 }, 2: { users: UsersV2 } }

@Module({
  imports: [UsersModule, VersionedApiModule.forRoot(routes, controllers)],
  controllers: [HealthController],
  providers: [{ provide: APP_PIPE, useFactory: () => new ValidationPipe({ whitelist: true }) }],
})
export class AppModule {}
