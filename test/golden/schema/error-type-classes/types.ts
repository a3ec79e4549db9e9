import type { CustomResource, Int32 } from 'opsdk';

class Private {
  #secret = 1;
  name = '';
  reveal(): number {
    return this.#secret;
  }
}

class WithFields {
  name!: string;
  private hidden!: string;
}

abstract class Abstract {
  abstract size: Int32;
}

interface FromClass extends WithFields {
  more: string;
}

export interface Sample extends CustomResource {
  spec: {
    private: Private;
    fields: WithFields;
    abstract: Abstract;
    from: FromClass;
    instance: InstanceType<typeof WithFields>;
    self: this;
  };
}
