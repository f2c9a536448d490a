import { Injectable, NotFoundException } from '@nestjs/common'

export interface User {
  readonly id: number
  readonly first: string
  readonly last: string
  readonly email?: string
}

/** The users, in memory. It knows no versions. */
@Injectable()
export class UsersService {
  private readonly users = new Map<number, User>([
    [7, { id: 7, first: 'Ann', last: 'Lee', email: 'ann@acme.example' }],
  ])

  list(): User[] {
    return [...this.users.values()]
  }

  find(id: number): User {
    const user = this.users.get(id)
    if (user === undefined) throw new NotFoundException(`There's no user ${id}.`)
    return user
  }

  create(user: Omit<User, 'id'>): User {
    const created = { id: Math.max(0, ...this.users.keys()) + 1, ...user }
    this.users.set(created.id, created)
    return created
  }

  remove(id: number): void {
    this.find(id)
    this.users.delete(id)
  }
}
