import type { CustomResource } from 'opsdk';

interface Methods {
  name: string;
  method(): string;
  optionalMethod?(): void;
  property: () => string;
  optionalProperty?: (value: string) => void;
  constructed: new () => Methods;
  get accessor(): string;
  set accessor(value: string);
}

interface Callable {
  (): string;
  field: string;
}

interface Constructable {
  new (): Callable;
}

export interface Sample extends CustomResource {
  spec: {
    methods: Methods;
    callable: Callable;
    constructable: Constructable;
    fn: Function;
  };
}
