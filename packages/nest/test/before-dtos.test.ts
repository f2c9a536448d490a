// What the DTOs of a Nest app say, and what version 1 gets of them.
import { createRequire } from 'node:module'
import { api, became, change, inherit, resources, version } from '@hv/router'
import * as nest from '@nestjs/common'
import { Body, Controller, Module, type PipeTransform, type Type } from '@nestjs/common'
import { APP_PIPE } from '@nestjs/core'
import {
  ApiExtraModels,
  ApiHideProperty,
  ApiOkResponse,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  DocumentBuilder,
  IntersectionType,
  OmitType,
  PartialType,
  PickType,
  getSchemaPath,
} from '@nestjs/swagger'
import type * as transformer from 'class-transformer'
import { Exclude, Expose, Type as Typed } from 'class-transformer'
import { IsString, ValidateNested } from 'class-validator'
import { createZodDto } from 'nestjs-zod'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { VersionedApiModule, before } from '../src/index.ts'
import { createVersionDocument } from '../src/swagger.ts'
import { as, createApp, listen, platforms, release, send } from './platforms.ts'

class Address {
  @ApiProperty()
  postalCode!: string
  @Exclude() // so it's in no response
  @Typed(() => Address)
  previous?: Address
}
class AddressV1 {
  @ApiProperty()
  zip!: string
}
const addresses = change(
  'The zip of an address is called postalCode.',
  became(AddressV1, Address, { down: ({ postalCode }) => ({ zip: postalCode }) }),
)
const [newer, older] = [{ postalCode: '8000' }, { zip: '8000' }]
enum Kind {
  Home = 'home',
  Work = 'work',
}

class Nested {
  @ApiProperty()
  address!: Address
}
class Lazy {
  @ApiProperty({ type: () => Address })
  address!: unknown
}
class Listed {
  @ApiProperty({ type: [Address] })
  addresses!: Address[]
}
class Optional {
  @ApiPropertyOptional()
  address?: Address
}
class Nullable {
  @ApiProperty({ type: Address, nullable: true })
  address!: Address | null
}
class Person extends Nested {
  @ApiProperty()
  name!: string
  @ApiProperty({ type: String, nullable: true })
  bio!: string | null
}
class Picked extends PickType(Person, ['address'] as const) {}
class Omitted extends OmitType(Person, ['name'] as const) {}
class Intersected extends IntersectionType(OmitType(Person, ['address'] as const), Nested) {}
class WithEnumAndDate extends Nested {
  @ApiProperty({ enum: Kind })
  kind!: Kind
  @ApiProperty({ enum: Kind, isArray: true })
  kinds!: Kind[]
  @ApiProperty()
  at!: Date
}
class Home {
  @ApiProperty({ enum: ['home'] })
  kind!: 'home'
  @ApiProperty()
  address!: Address
}
class Office {
  @ApiProperty({ enum: ['work'] })
  kind!: 'work'
  @ApiProperty()
  floor!: number
}
@ApiExtraModels(Home, Office)
class Union {
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(Home) }, { $ref: getSchemaPath(Office) }],
    discriminator: { propertyName: 'kind' },
  })
  place!: Home | Office
}
class Renamed {
  @Expose({ name: 'home_address' })
  @ApiProperty({ name: 'home_address' })
  address!: Address
}
class Hidden extends Nested {
  @ApiHideProperty()
  secret?: object
}
class Transformed {
  @Expose()
  @Typed(() => Address)
  address!: Address
}
class JustTyped {
  @ApiProperty()
  id!: number
  @Typed(() => Address)
  address!: Address
  @Typed(() => Address)
  addresses!: Address[]
}
const commonJs = createRequire(import.meta.url)('class-transformer') as typeof transformer
class Required {
  @commonJs.Type(() => Address)
  @commonJs.Expose()
  address!: unknown
}
class Validated {
  @ValidateNested({ each: true })
  @Typed(() => Address)
  addresses!: Address[]
}
@ApiExtraModels(Address)
class ByName {
  @ApiProperty({ type: 'object', additionalProperties: { $ref: getSchemaPath(Address) } })
  addresses!: Record<string, Address>
  @ApiProperty({ allOf: [{ $ref: getSchemaPath(Address) }] })
  main!: Address
}
class Free extends Nested {
  @ApiProperty({ type: 'object', additionalProperties: true })
  meta!: object
}

const routes = api(
  { vendorString: 'acme' },
  version(1, resources('homes', { only: 'show' })),
  version(2, inherit({ from: 1 })),
)

function appOf(type: Type | [Type] | Function, value: unknown, changes = [addresses]) {
  @Controller()
  class Homes {
    @ApiOkResponse({ type: type as Type })
    show(): unknown {
      return value
    }
    /** So every change applies somewhere. */
    @ApiOkResponse({ type: Address })
    other(): void {}
  }
  return rootOf(Homes, changes)
}

function rootOf(Homes: Type<{ show(): unknown }>, changes: readonly ReturnType<typeof change>[]) {
  const v2 = { homes: Homes }
  const controllers = { 1: before(v2, ...changes), 2: v2 }
  @Module({ imports: [VersionedApiModule.forRoot(routes, controllers)], controllers: [Homes] })
  class Root {}
  return { Root, controllers }
}

const at = new Date('2026-01-01T00:00:00Z')
const person = { name: 'Ann', bio: null }
const table: [what: string, type: Type | [Type], value: unknown, older: unknown][] = [
  ['a class', Address, newer, older],
  ['a list', [Address], [newer], [older]],
  ['a property', Nested, { address: newer }, { address: older }],
  ['a lazy type', Lazy, { address: newer }, { address: older }],
  ['a list in a property', Listed, { addresses: [newer] }, { addresses: [older] }],
  ['an optional property', Optional, { address: newer }, { address: older }],
  ['a missing property', Optional, {}, {}],
  ['a nullable property', Nullable, { address: newer }, { address: older }],
  ['null', Nullable, { address: null }, { address: null }],
  ['a subclass', Person, { ...person, address: newer }, { ...person, address: older }],
  ['PickType()', Picked, { address: newer }, { address: older }],
  ['OmitType()', Omitted, { bio: 'x', address: newer }, { bio: 'x', address: older }],
  ['IntersectionType()', Intersected, { ...person, address: newer }, { ...person, address: older }],
  [
    'enums and dates',
    WithEnumAndDate,
    { kind: Kind.Home, kinds: [Kind.Work], at, address: newer },
    { kind: 'home', kinds: ['work'], at: at.toJSON(), address: older },
  ],
  [
    'oneOf with a discriminator',
    Union,
    { place: { kind: 'home', address: newer } },
    { place: { kind: 'home', address: older } },
  ],
  ['its other schema', Union, { place: { kind: 'work', floor: 1 } }, { place: { kind: 'work', floor: 1 } }], // prettier-ignore
  ['another name in JSON', Renamed, { home_address: newer }, { home_address: older }],
  ['that name, unused', Renamed, { address: newer }, { address: older }],
  [
    'a hidden property',
    Hidden,
    { secret: newer, address: newer },
    { secret: newer, address: older }, // nobody declares it, so it's sent as it is
  ],
  ['class-transformer alone', Transformed, { address: newer }, { address: older }],
  ['class-transformer that is required, alone', Required, { address: newer }, { address: older }],
  [
    "class-transformer's @Type() beside swagger's",
    JustTyped,
    { id: 1, address: newer, addresses: [newer] },
    { id: 1, address: older, addresses: [older] },
  ],
  ['class-validator alone', Validated, { addresses: [newer] }, { addresses: [older] }],
  [
    'getSchemaPath()',
    ByName,
    { addresses: { home: newer }, main: newer },
    { addresses: { home: older }, main: older },
  ],
  ['a free-form object', Free, { meta: newer, address: newer }, { meta: newer, address: older }],
]

describe.each(platforms)('DTOs on $name', (platform) => {
  it.each(table)('%s', async (_what, type, value, converted) => {
    const { Root } = appOf(type, value)
    const app = await createApp(Root, platform)
    const url = `${await listen(app)}/api/homes/1`
    const { body: unchanged } = await send(url, { headers: as(2) })
    expect(unchanged).toEqual(JSON.parse(JSON.stringify(value)))
    const { status, body } = await send(url, { headers: as(1) })
    expect([status, body]).toEqual([200, converted])
  })
})

it.each(table.filter(([what]) => !/alone|@Type/.test(what)))(
  "version 1's document names the older DTO: %s",
  async (_what, type, value) => {
    const { Root, controllers } = appOf(type, value)
    const app = await createApp(Root, platforms[0])
    await app.init()
    const config = new DocumentBuilder().build()
    const textOf = (n: 1 | 2) =>
      JSON.stringify(createVersionDocument(app, routes, controllers, n, config))
    expect(textOf(1)).toContain('schemas/AddressV1"')
    expect(textOf(1)).not.toContain('schemas/Address"')
    expect(textOf(2)).toContain('schemas/Address"')
    expect(textOf(2)).not.toContain('AddressV1')
  },
)

it('converts an object without any of its optional properties', async () => {
  class Settings {
    @ApiPropertyOptional()
    color?: string
  }
  class SettingsV1 {
    @ApiPropertyOptional()
    colour?: string
  }
  const down = ({ color }: Settings) => ({ colour: color ?? 'none' })
  const { Root } = appOf(Settings, {}, [
    addresses,
    change('…', became(SettingsV1, Settings, { down })) as never,
  ])
  const url = `${await listen(await createApp(Root, platforms[0]))}/api/homes/1`
  expect((await send(url, { headers: as(1) })).body).toEqual({ colour: 'none' })
})

it('creates a document with a copy of the package, as an ES module beside an app in CommonJS does', async () => {
  const { Root, controllers } = appOf(Person, { ...person, address: newer })
  const app = await createApp(Root, platforms[0])
  await app.init()
  vi.resetModules()
  const copy = await import('../src/swagger.ts')
  expect(copy.createVersionDocument).not.toBe(createVersionDocument)
  const both = [copy.createVersionDocument, createVersionDocument]
  const [one, two] = both.map((createDocument) =>
    createDocument(app, routes, controllers, 1, new DocumentBuilder().build()),
  )
  expect(two).toEqual(one)
})

describe('zod DTOs', () => {
  const [zip, postalCode] = [z.object({ zip: z.string() }), z.object({ postalCode: z.string() })]
  class ZodAddress extends createZodDto(postalCode) {}
  class ZodAddressV1 extends createZodDto(zip) {}
  const house = z.object({ address: postalCode, others: z.array(postalCode.nullable()) })
  class House extends createZodDto(house) {}
  const down = (address: { postalCode: string }) => ({ zip: address.postalCode })
  const value = { address: newer, others: [newer, null] }
  const changes = {
    schemas: change('…', became(zip, postalCode, { down })),
    DTOs: change('…', became(ZodAddressV1, ZodAddress, { down })),
  }
  describe.each(platforms)('on $name', (platform) => {
    it.each(Object.entries(changes))('became() takes %s', async (_what, renamed) => {
      const { Root } = appOf(House, value, [renamed as never])
      const url = `${await listen(await createApp(Root, platform))}/api/homes/1`
      const { body } = await send(url, { headers: as(1) })
      expect(body).toEqual({ address: older, others: [older, null] })
    })
    it('takes a list of DTOs', async () => {
      const { Root } = appOf([ZodAddress] as never, [newer], [changes.DTOs as never])
      const url = `${await listen(await createApp(Root, platform))}/api/homes/1`
      expect((await send(url, { headers: as(1) })).body).toEqual([older])
    })
  })
})

// Nest 12 has a library's schema beside the class, or in place of it.
describe.runIf(release === 'nest12')('@Body({ schema })', () => {
  const user = z.object({ first: z.string(), last: z.string().max(9) })
  const userV1 = z.object({ name: z.string() })
  const names = change(
    'A name is in two fields.',
    became(userV1, user, {
      up: ({ name }) => ({ first: name.split(' ')[0]!, last: name.split(' ')[1]! }),
      down: ({ first, last }) => ({ name: `${first} ${last}` }),
    }),
  )
  const creation = api(
    { vendorString: 'acme' },
    version(1, resources('users', { only: 'create' })),
    version(2, inherit({ from: 1 })),
  )
  const { StandardSchemaValidationPipe: Pipe } = nest as unknown as Record<string, Type>
  @Controller()
  class Users {
    @ApiResponse({ status: 201, standardSchema: user } as never)
    create(
      @Body({ schema: user } as unknown as PipeTransform) body: z.infer<typeof user>,
    ): unknown {
      return body
    }
  }
  const v2 = { users: Users }
  const controllers = { 1: before(v2, names), 2: v2 }
  @Module({
    imports: [VersionedApiModule.forRoot(creation, controllers)],
    controllers: [Users],
    providers: [{ provide: APP_PIPE, useFactory: () => new Pipe!() }],
  })
  class Root {}

  it.each(platforms)('is validated and converted, version by version: $name', async (platform) => {
    const url = `${await listen(await createApp(Root, platform))}/api/users`
    const post = (n: number, body: object) =>
      send(url, {
        method: 'POST',
        headers: as(n, { 'content-type': 'application/json' }),
        body: JSON.stringify(body),
      })
    const ann = { first: 'Ann', last: 'Lee' }
    expect(await post(2, ann)).toMatchObject({ status: 201, body: ann })
    expect(await post(1, { name: 'Ann Lee' })).toMatchObject({
      status: 201,
      body: { name: 'Ann Lee' },
    })
    expect((await post(1, ann)).body.message).toEqual([expect.stringContaining('name')])
    const { status, body } = await post(1, { name: 'Ann Longerthannine' })
    expect(status).toBe(400)
    expect(body.message).toEqual([expect.stringContaining('A name is in two fields.')])
  })

  it('is in the documents', async () => {
    const app = await createApp(Root, platforms[0])
    await app.init()
    const config = new DocumentBuilder().build()
    const [one, two] = ([1, 2] as const).map((n) =>
      JSON.stringify(
        createVersionDocument(app, creation, controllers, n, config).paths['/api/users'],
      ),
    )
    expect([one!.includes('name'), one!.includes('first')]).toEqual([true, false])
    expect([two!.includes('"name"'), two!.includes('first')]).toEqual([false, true])
  })
})

it('reads the JSON of a response with several types', async () => {
  @ApiExtraModels(Address)
  @Controller()
  class Homes {
    @ApiResponse({
      status: 200,
      content: {
        'text/csv': { schema: { type: 'string' } },
        'application/json': { schema: { $ref: getSchemaPath(Address) } },
      },
    })
    show(): unknown {
      return newer
    }
  }
  const { Root } = rootOf(Homes, [addresses])
  const url = `${await listen(await createApp(Root, platforms[0]))}/api/homes/1`
  expect((await send(url, { headers: as(1) })).body).toEqual(older)
})

class Tree {
  @ApiProperty({ type: () => [Tree] })
  children!: Tree[]
  @ApiProperty()
  address!: Address
}
class Untyped {
  @ApiProperty()
  address!: Address | null
}
class OpenList {
  @ApiProperty()
  addresses!: Address[]
}
class Undeclared {
  address!: Address
}
class InUndeclared {
  @ApiProperty()
  home!: Undeclared
}
class Unnamed {
  @ApiProperty({ oneOf: [{ $ref: getSchemaPath(Address) }] })
  address!: Address
}
class UntypedV1 {
  @IsString()
  name!: string | null
}
class TreeV1 {
  @ApiProperty()
  name!: string
}
const otherwise = change('…', became(TreeV1, Tree, { down: () => ({ name: '' }) }))
const refusals: [what: string, type: Type, changes: unknown[], message: string][] = [
  ['a recursive DTO around a change', Tree, [addresses], 'in only, and write this one yourself'],
  [
    'a recursive DTO that changed',
    Tree,
    [otherwise],
    'Tree contains itself. Leave it out, and write the',
  ],
  ['a union without a type', Untyped, [addresses], 'Untyped.address has no type that can be read'],
  ['a list without a type', OpenList, [addresses], 'OpenList.addresses has no type that can be'],
  ['undeclared properties', Undeclared, [addresses], 'no property of Undeclared is declared'],
  ['the same in a property', InUndeclared, [addresses], 'no property of Undeclared is declared'],
  ['a name without a class', Unnamed, [addresses], 'Address needs @ApiExtraModels()'],
  ['an interface', Object as never, [addresses], 'its response 200 has no type that can be read'],
  ['a partial', PartialType(Address), [addresses], 'made of its newer schema'],
  [
    'an older DTO that says too little',
    Nested,
    [addresses, change('…', became(UntypedV1, Nested, { down: () => ({ name: '' }) }))],
    'UntypedV1.name has no type that can be read',
  ],
  [
    'a change without down',
    Address,
    [change('…', became(AddressV1, Address, { up: () => newer }))],
    "the change '…' can't be undone in Homes.show(): a response contains its newer schema. Add down",
  ],
]

it('starts with a recursive DTO whose action is written', async () => {
  @Controller()
  class Homes {
    @ApiOkResponse({ type: Tree })
    show(): unknown {
      return {}
    }
    @ApiOkResponse({ type: Address })
    other(): void {}
  }
  const others = change(
    '…',
    became(AddressV1, Address, { down: () => older, only: ['homes.other'] }),
  )
  @Controller()
  class HomesV1 extends before({ homes: Homes }, others).homes {
    show() {
      return { written: true }
    }
  }
  const controllers = { 1: { homes: HomesV1 }, 2: { homes: Homes } }
  @Module({
    imports: [VersionedApiModule.forRoot(routes, controllers)],
    controllers: [Homes, HomesV1],
  })
  class Root {}
  const url = `${await listen(await createApp(Root, platforms[0]))}/api/homes/1`
  expect((await send(url, { headers: as(1) })).body).toEqual({ written: true })
})

it.each(refusals)('refuses %s', async (_what, type, changes, message) => {
  const { Root } = appOf(type, {}, changes as never)
  const app = await createApp(Root, platforms[0])
  await expect(app.init()).rejects.toThrow(message)
})

it('reads nothing at import', async () => {
  class Late {
    address!: Address
  }
  const { Root } = appOf([Late] as never, [{ address: newer }])
  // As SwaggerModule.loadPluginMetadata() does, in main.ts.
  Object.assign(Late, { _OPENAPI_METADATA_FACTORY: () => ({ address: { type: () => Address } }) })
  const url = `${await listen(await createApp(Root, platforms[0]))}/api/homes/1`
  expect((await send(url, { headers: as(1) })).body).toEqual([{ address: older }])
})

it("takes a property's type from the subclass, as the plugin writes it", async () => {
  class Place {
    address!: object
  }
  class Villa extends Place {
    declare address: Address
  }
  Object.assign(Place, { _OPENAPI_METADATA_FACTORY: () => ({ address: { type: () => Object } }) })
  Object.assign(Villa, { _OPENAPI_METADATA_FACTORY: () => ({ address: { type: () => Address } }) })
  const { Root } = appOf([Villa] as never, [{ address: newer }])
  const url = `${await listen(await createApp(Root, platforms[0]))}/api/homes/1`
  expect((await send(url, { headers: as(1) })).body).toEqual([{ address: older }])
})

it("doesn't read an action that a class of the app overrides", async () => {
  @Controller()
  class Homes {
    @ApiResponse({ status: 200, type: Untyped })
    show(): unknown {
      return { address: newer }
    }
  }
  @Controller()
  class HomesV1
    extends before({ homes: Homes }, change('…', became(AddressV1, Address, { down: () => older })))
      .homes
  {
    show() {
      return 'ours'
    }
  }
  const controllers = { 1: { homes: HomesV1 }, 2: { homes: Homes } }
  @Module({
    imports: [VersionedApiModule.forRoot(routes, controllers)],
    controllers: [Homes, HomesV1],
  })
  class Root {}
  const app = await createApp(Root, platforms[0])
  // Nothing else has an address, so the change applies nowhere.
  await expect(app.init()).rejects.toThrow('its newer schema is unused')
})
