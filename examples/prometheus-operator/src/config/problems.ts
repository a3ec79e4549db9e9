/** Collects what is wrong with an object, all of it at once: `spec.endpoints[0].interval: expected …, got …`. */
export class Problems {
  readonly list: string[] = [];

  add(path: string, message: string): void {
    this.list.push(`${path}: ${message}`);
  }
}
