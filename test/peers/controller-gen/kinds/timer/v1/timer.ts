import {
  defineResource,
  type AtomicList,
  type Base64,
  type CustomResource,
  type DateTime,
  type Duration,
  type Int64,
  type Integer,
} from 'opsdk';

/** Timer is the Schema for the timers API. */
export interface Timer extends CustomResource {
  /**
   * Every says how often.
   *
   * @default 10m
   */
  every?: Duration;

  /** Grace is a duration whose text is not checked. */
  grace?: string;

  /** Start of the timer. */
  start: DateTime;

  /**
   * Fired holds the times at which the timer fired.
   *
   * @maxItems 100
   */
  fired?: AtomicList<DateTime>;

  /**
   * Payload that is sent.
   *
   * @maxLength 1024
   */
  payload?: Base64;

  /**
   * Jitter in percent.
   *
   * @minimum 0
   * @exclusiveMaximum 100
   * @multipleOf 5
   */
  jitter?: Int64;

  /**
   * Address that is called.
   *
   * @format ipv4
   */
  address?: string;

  /**
   * Count of calls, of no size in particular.
   *
   * @maximum 9007199254740991
   */
  count?: Integer;

  /**
   * @description "Code says `what` is *sent*: \"quoted\", {braced} & <tagged>.\n\n  - a list\n  - of two\n\n@ signs are kept: me@example.com"
   * @pattern ^[a-z]+([-.][a-z0-9]+)*\d?$
   * @minLength 2
   */
  code?: string;
}

export const Timer = defineResource<Timer>({
  group: 'time.peers.example.com',
  version: 'v1',
  kind: 'Timer',
});
