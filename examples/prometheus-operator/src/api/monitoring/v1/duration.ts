/**
 * PrometheusDuration is a duration as Prometheus writes it, such as `30s` or `1h30m`.
 *
 * @pattern ^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$
 */
export type PrometheusDuration = string;

/**
 * ByteSize is an amount of bytes with a unit of Prometheus, such as `512MB` or `10GiB`.
 *
 * @pattern (^0|([0-9]*[.])?[0-9]+((K|M|G|T|E|P)i?)?B)$
 */
export type ByteSize = string;

/**
 * GoDuration is a duration of a flag, such as `15s` or `1h30m`. The largest unit is the hour.
 *
 * @pattern ^(0|(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$
 */
export type GoDuration = string;
