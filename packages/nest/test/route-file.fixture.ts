// An app without versions, whose routes become a route file.
import { All, Controller, Delete, Get, Module, Param, Patch, Post, Version } from '@nestjs/common'
import { RouterModule } from '@nestjs/core'
import { MessagePattern } from '@nestjs/microservices'

@Controller('users')
export class UsersController {
  @Post()
  create() {}
  @Get()
  findAll(): unknown {
    return ['all']
  }
  @Get(':id')
  findOne(@Param('id') id: string): unknown {
    return { id }
  }
  @Patch(':id')
  update() {}
  @Delete(':id')
  remove() {}
  @Get(['me/name', 'me/nick-name'])
  names() {}
  @MessagePattern('users.find')
  message() {}
}

@Controller()
export class OddController {
  @Get()
  root() {}
  @All('all')
  all() {}
  @Get('files/*path')
  files() {}
  @Get('v1.0/users.json')
  dots() {}
  @Get('flights/:from-:to')
  flights() {}
  @Version('2')
  @Get('newer')
  newer() {}
}

@Controller({ path: 'hosted', host: 'x.example' })
export class HostedController {
  @Get()
  index() {}
}

@Controller('keys')
export class KeysController {
  @Get(':key')
  findOne() {}
}
@Module({ controllers: [KeysController] })
class KeysModule {}

@Module({
  imports: [KeysModule, RouterModule.register([{ path: 'admin', module: KeysModule }])],
  controllers: [UsersController, OddController, HostedController],
})
export class AppModule {}
