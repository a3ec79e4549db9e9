import type { CustomResource, Int32 } from 'opsdk';

interface Step<Kind extends string, Config> {
  kind: Kind;
  config?: Config;
}

type Either<A, B> = { left: A } | { right: B };

type Wait = Step<'Wait', { seconds: Int32 }>;

export interface Sample extends CustomResource {
  spec: {
    either: Either<string, Int32>;
    step: Wait | Step<'Stop', { seconds: Int32 }>;
  };
}
