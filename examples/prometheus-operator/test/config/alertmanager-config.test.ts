import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { AlertmanagerConfig, Route } from '../../src/api/monitoring/v1alpha1/alertmanager-config.ts';
import type { Receiver } from '../../src/api/monitoring/v1alpha1/receiver.ts';
import {
  alertmanagerConfig as generate,
  emptyConfig,
  type GeneratedConfig,
} from '../../src/config/alertmanager-config.ts';
import { Assets } from '../../src/config/assets.ts';
import { alertmanager, alertmanagerConfig } from '../fixtures/objects.ts';

const noSecrets: Readonly<Record<string, Record<string, string>>> = {};

function generated(
  configs: readonly AlertmanagerConfig[],
  { base = emptyConfig, of = alertmanager(), secrets = noSecrets } = {},
): GeneratedConfig {
  const assets = new Assets('/etc/alertmanager/config');
  generate(of, base, configs, assets);
  for (const object of assets.unread) assets.set(object, secrets[object.name]);
  return generate(of, base, configs, assets);
}

function problemsOf(spec: object): readonly string[] {
  return generated([alertmanagerConfig('a', spec)], {
    of: alertmanager({ version: 'v0.25.0' }),
  }).leftOut.flatMap(({ problems }) => problems);
}

it('gives a configuration on byte for byte while nobody adds to it', () => {
  const base = '# mine\nroute: {receiver: on}\nreceivers:\n- name: on\n';
  expect(generated([], { base }).text).toBe(base);
});

it('adds the routes of namespaces before the own ones, and keeps what is there', () => {
  const base =
    '# mine\nroute:\n  receiver: on # plain\n  routes:\n    - receiver: on\nreceivers:\n  - name: on\n';
  const { text } = generated([alertmanagerConfig('b'), alertmanagerConfig('a', {}, { namespace: 'shop' })], {
    base,
  });
  expect(text).toContain('# mine\nroute:\n  receiver: on # plain\n');
  expect(parse(text)).toEqual({
    route: {
      receiver: 'on',
      routes: [
        { receiver: 'default/b/team', matchers: ['namespace="default"'], continue: true },
        { receiver: 'shop/a/team', matchers: ['namespace="shop"'], continue: true },
        { receiver: 'on' },
      ],
    },
    receivers: [
      { name: 'on' },
      { name: 'default/b/team', webhook_configs: [{ url: 'http://hooks.example.com/' }] },
      { name: 'shop/a/team', webhook_configs: [{ url: 'http://hooks.example.com/' }] },
    ],
  });
});

it('matches alerts of other namespaces where the strategy says so', () => {
  const matchersOf = (
    type: 'None' | 'OnNamespaceExceptForAlertmanagerNamespace',
    namespace: string,
  ): unknown => {
    const of = alertmanager({ alertmanagerConfigMatcherStrategy: { type } });
    const { text } = generated([alertmanagerConfig('a', {}, { namespace })], { of });
    return (parse(text) as { route: { routes: readonly { matchers: unknown }[] } }).route.routes[0]?.matchers;
  };
  expect(matchersOf('None', 'shop')).toEqual([]);
  expect(matchersOf('OnNamespaceExceptForAlertmanagerNamespace', 'shop')).toEqual(['namespace="shop"']);
  expect(matchersOf('OnNamespaceExceptForAlertmanagerNamespace', 'default')).toEqual([]);
});

it('writes routes, inhibitions and intervals under the names of their AlertmanagerConfig', () => {
  const config = alertmanagerConfig('a', {
    route: {
      receiver: 'team',
      groupBy: ['job'],
      routes: [
        {
          receiver: 'team',
          matchers: [
            { name: 'severity', value: 'a|b', matchType: '=~' },
            { name: 'text', value: 'say "hi"\\\n' },
          ],
          muteTimeIntervals: ['nights'],
        },
      ],
    },
    inhibitRules: [
      {
        sourceMatch: [{ name: 'severity', value: 'critical' }],
        targetMatch: [{ name: 'severity', value: 'warning' }],
        equal: ['job'],
      },
    ],
    muteTimeIntervals: [
      {
        name: 'nights',
        timeIntervals: [
          {
            times: [{ startTime: '22:00', endTime: '24:00' }],
            weekdays: ['Monday:friday'],
            daysOfMonth: [{ start: 1, end: -1 }],
          },
        ],
      },
    ],
  });
  expect(parse(generated([config]).text)).toMatchObject({
    route: {
      routes: [
        {
          group_by: ['job'],
          routes: [
            {
              receiver: 'default/a/team',
              matchers: ['severity=~"a|b"', 'text="say \\"hi\\"\\\\\\n"'],
              mute_time_intervals: ['default/a/nights'],
            },
          ],
        },
      ],
    },
    inhibit_rules: [
      {
        source_matchers: ['severity="critical"', 'namespace="default"'],
        target_matchers: ['severity="warning"', 'namespace="default"'],
        equal: ['job'],
      },
    ],
    time_intervals: [
      {
        name: 'default/a/nights',
        time_intervals: [
          {
            times: [{ start_time: '22:00', end_time: '24:00' }],
            weekdays: ['monday:friday'],
            days_of_month: ['1:-1'],
          },
        ],
      },
    ],
  });
});

it('has the credentials of receivers from Secrets', () => {
  const receivers: Receiver[] = [
    {
      name: 'team',
      slackConfigs: [{ apiURL: { name: 'slack', key: 'url' }, channel: '#alerts' }],
      pagerdutyConfigs: [{ routingKey: { name: 'slack', key: 'key' }, details: [{ key: 'a', value: 'b' }] }],
      emailConfigs: [
        {
          to: 'a@example.com',
          from: 'b@example.com',
          smarthost: 'mail:25',
          headers: [{ key: 'Subject', value: 'c' }],
        },
      ],
    },
  ];
  const secrets = { slack: { url: 'https://hooks.slack.com/a', key: 'k' } };
  const { leftOut, text } = generated([alertmanagerConfig('a', { receivers })], { secrets });
  expect(leftOut).toEqual([]);
  expect((parse(text) as { receivers: readonly unknown[] }).receivers[1]).toEqual({
    name: 'default/a/team',
    slack_configs: [{ api_url: 'https://hooks.slack.com/a', channel: '#alerts' }],
    pagerduty_configs: [{ routing_key: 'k', details: { a: 'b' } }],
    email_configs: [
      { to: 'a@example.com', from: 'b@example.com', smarthost: 'mail:25', headers: { Subject: 'c' } },
    ],
  });
});

describe('leaves an AlertmanagerConfig out', () => {
  const withRoute = (route: Route): object => ({ route: { receiver: 'team', ...route } });
  const withReceiver = (receiver: Partial<Receiver>): object => ({
    receivers: [{ name: 'team', ...receiver }],
  });
  it.for<readonly [string, object, string]>([
    ['whose route has no receiver', { route: {} }, 'spec.route.receiver: is required'],
    [
      'whose route has an unknown receiver',
      { route: { receiver: 'other' } },
      'spec.route.receiver: expected one of the receivers, got "other"',
    ],
    [
      'whose lower route has an unknown receiver',
      withRoute({ routes: [{ receiver: 'other' }] }),
      'spec.route.routes[0].receiver',
    ],
    [
      'whose lower route has an unknown field',
      withRoute({ routes: [{ reciever: 'team' }] }),
      'spec.route.routes[0].reciever: is unknown',
    ],
    [
      'whose lower route is a text',
      withRoute({ routes: ['team'] }),
      'spec.route.routes[0]: expected a route',
    ],
    [
      'whose lower matchers are texts',
      withRoute({ routes: [{ matchers: ['a=b'] }] }),
      'spec.route.routes[0].matchers: expected a list',
    ],
    [
      'with an interval that does not exist',
      withRoute({ muteTimeIntervals: ['nights'] }),
      'spec.route.muteTimeIntervals[0]',
    ],
    ['with a bad label in groupBy', withRoute({ groupBy: ['a-b'] }), 'spec.route.groupBy[0]'],
    [
      'with an interval of nothing',
      withRoute({ repeatInterval: '0s' }),
      'spec.route.repeatInterval: expected more than 0',
    ],
    [
      'with a bad regular expression',
      withRoute({ matchers: [{ name: 'a', value: '(', matchType: '=~' }] }),
      'spec.route.matchers[0].value',
    ],
    [
      'with a webhook without an address',
      withReceiver({ webhookConfigs: [{}] }),
      'spec.receivers[0].webhookConfigs[0]: expected one of url and urlSecret',
    ],
    [
      'with a webhook at no URL',
      withReceiver({ webhookConfigs: [{ url: 'hooks' }] }),
      'spec.receivers[0].webhookConfigs[0].url',
    ],
    [
      'with a Secret that is missing',
      withReceiver({ slackConfigs: [{ apiURL: { name: 'slack', key: 'url' } }] }),
      'Secret default/slack does not exist',
    ],
    [
      'with mail to nobody',
      withReceiver({ emailConfigs: [{ from: 'a@b', smarthost: 'mail:25' }] }),
      'spec.receivers[0].emailConfigs[0].to: is required',
    ],
    [
      'with two keys of PagerDuty',
      withReceiver({ pagerdutyConfigs: [{}] }),
      'expected one of routingKey and serviceKey',
    ],
    [
      'with a day that no week has',
      { muteTimeIntervals: [{ name: 'a', timeIntervals: [{ weekdays: ['caturday'] }] }] },
      'spec.muteTimeIntervals[0].timeIntervals[0].weekdays[0]',
    ],
    [
      'with months that end before they begin',
      { muteTimeIntervals: [{ name: 'a', timeIntervals: [{ months: ['may:3'] }] }] },
      'ends before it begins',
    ],
  ])('%s', ([, spec, expected]) => {
    expect(problemsOf(spec).join('; ')).toContain(expected);
  });
});

it('says what is wrong with the base', () => {
  const of = (base: string): readonly string[] => generated([], { base }).problems;
  expect(of('route: [')).toMatchObject([expect.stringContaining('expected YAML')]);
  expect(of('a')).toEqual([
    'the key alertmanager.yaml of the Secret: expected a configuration of Alertmanager',
  ]);
  expect(of('global: {}')).toHaveLength(2);
  expect(of('route: {receiver: a, routes: {}}\nreceivers: [{name: a}]')).toEqual([
    'the key alertmanager.yaml of the Secret: route.routes: expected a list',
  ]);
  const old = generated([], { of: alertmanager({ version: 'v0.24.0' }) });
  expect(old.problems).toEqual(['spec.version: expected at least 0.25.0, got v0.24.0']);
});
