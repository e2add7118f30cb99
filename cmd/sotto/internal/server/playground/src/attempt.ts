// A request that charges may be made again under its idempotency key, and is then charged once.

import { Problem, unguessable } from './api';

// spoiled are the problems that every later request under the key would get too.
const spoiled = new Set(['answer-forgotten', 'cost-changed', 'idempotency-key-reused']);

export class Attempt {
  private of = '';
  private key = '';

  // keyFor returns the key of a request: that of the last one, if it is the same and its answer
  // did not come. Whatever came instead, it may have been charged.
  keyFor(of: string): string {
    if (this.key === '' || this.of !== of) [this.of, this.key] = [of, unguessable()];
    return this.key;
  }

  answered(): void {
    [this.of, this.key] = ['', ''];
  }

  failed(e: unknown): void {
    if (e instanceof Problem && spoiled.has(e.type)) this.answered();
  }
}
