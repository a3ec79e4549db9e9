import type {
  AtomicList,
  Base64,
  Condition,
  CustomResource,
  DateTime,
  Duration,
  Int32,
  IntOrString,
  Json,
  JsonObject,
  ListMap,
  ListSet,
  Quantity,
} from 'opsdk';

interface Port {
  name: string;
  /** @default TCP */
  protocol?: 'TCP' | 'UDP';
  port: Int32;
}

export interface Sample extends CustomResource {
  spec: {
    quantity: Quantity;
    intOrString: IntOrString;
    time?: DateTime;
    duration?: Duration;
    bytes?: Base64;
    any?: Json;
    object?: JsonObject;
    /** The ports. */
    ports?: ListMap<Port, 'port' | 'protocol'>;
    names?: ListSet<string>;
    numbers?: ListSet<Int32>;
    steps?: AtomicList<Port>;
    limits?: Record<string, Quantity>;
  };
  status?: {
    conditions?: ListMap<Condition, 'type'>;
    latest?: Condition;
  };
}
