import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common'

/** Lets requests with the token in ADMIN_TOKEN through. */
@Injectable()
export class AdminGuard implements CanActivate {
  private readonly token = process.env['ADMIN_TOKEN'] ?? 'admin'

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context
      .switchToHttp()
      .getRequest<{ headers: Readonly<Record<string, string>> }>()
    if (headers['authorization'] === `Bearer ${this.token}`) return true
    throw new UnauthorizedException('Send the admin token.')
  }
}
