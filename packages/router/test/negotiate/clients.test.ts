// Accept headers that clients really send if nobody sets one, and what careless code sends. None of
// them asks for a version, so each gets the default one. That's what they get from an API without
// versions, which must not change when the API gets its first one.
import { describe, expect, it } from 'vitest'
import { api, createMatcher, inherit, resources, version } from '../../src/index.ts'

const versions = [version(1, resources('users')), version(2, inherit({ from: 1 }))] as const
const vendor = { vendorString: 'acme', defaultVersion: 1 } as const
const lenient = createMatcher(api(vendor, ...versions))
const pinning = createMatcher<number>(api(vendor, ...versions), {
  pinVersion: (pinned) => pinned,
})
const strict = createMatcher(api({ ...vendor, strict: true }, ...versions))

/** With `strict`, an API also rejects whoever accepts neither JSON nor anything. */
const json = { strict: 200 }
const foreign = { strict: 406 }

const clients: readonly [
  client: string,
  accept: string | undefined,
  { readonly strict: number },
][] = [
  ['curl, wget, HTTPie without a body, Go, Postman, Insomnia, k6', '*/*', json],
  ['Node http, PHP streams, HttpClient of .NET, Java 11 HttpClient', undefined, json],
  ['undici and fetch in Node, Bun and Deno', '*/*', json],
  ['python-requests, httpx and aiohttp', '*/*', json],
  ['Ruby Net::HTTP and Faraday', '*/*', json],
  ['axios', 'application/json, text/plain, */*', json],
  ['got with responseType json', 'application/json', json],
  ['ky', 'application/json', json],
  ['superagent and supertest', '', json],
  ['jQuery.getJSON', 'application/json, text/javascript, */*; q=0.01', json],
  ['jQuery with dataType xml', 'application/xml, text/xml, */*; q=0.01', json],
  ['Angular HttpClient', 'application/json, text/plain, */*', json],
  ['HTTPie with a body', 'application/json, */*;q=0.5', json],
  ['Java URLConnection before 19', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', json],
  ['Java URLConnection since 19', 'text/html, image/gif, image/jpeg, */*; q=0.2', json],
  [
    'Spring RestTemplate for a String',
    'text/plain, application/json, application/*+json, */*',
    json,
  ],
  ['Spring WebClient for a record', 'application/json, application/*+json', json],
  ['OpenFeign', '*/*', json],
  ['Apache CXF', 'application/xml;q=0.9, */*;q=0.8', json],
  ['RestSharp', 'application/json, text/json, text/x-json, text/javascript, *+json', json],
  [
    'older RestSharp',
    'application/json, application/xml, text/json, text/x-json, text/javascript, text/xml',
    json,
  ],
  ['rest-client (Ruby)', '*/*; q=0.5, application/xml', json],
  ['older rest-client (Ruby)', '*/*; q=0.5, application/xml, */*', json],
  ['LWP with a default', 'text/html, */*', json],
  [
    'Chrome, a document',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    json,
  ],
  ['Firefox, a document', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', json],
  [
    'Firefox, an image',
    'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
    json,
  ],
  [
    'Safari, an image',
    'image/webp,image/avif,image/jxl,image/heic,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
    json,
  ],
  [
    'Internet Explorer 8',
    'image/gif, image/jpeg, image/pjpeg, application/x-ms-application, application/xaml+xml, */*',
    json,
  ],
  ['Internet Explorer 11', 'text/html, application/xhtml+xml, */*', json],
  ['Lynx', 'text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01', json],
  ['EventSource', 'text/event-stream', foreign],
  ['a browser that loads a style sheet', 'text/css,*/*;q=0.1', json],
  ['GraphQL clients', 'application/graphql-response+json, application/json;q=0.9', json],
  ['Apollo Client with @defer', 'multipart/mixed;deferSpec=20220824,application/json', json],
  [
    'Prometheus',
    'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    json,
  ],
  ['kube-probe', '*/*', json],
  ['ELB-HealthChecker', undefined, json],
  [
    'Googlebot',
    'text/html,application/xhtml+xml,application/signed-exchange;v=b3,application/xml;q=0.9,*/*;q=0.8',
    json,
  ],
  ['Slackbot', 'text/html, application/xhtml+xml, image/*;q=0.8, */*;q=0.5', json],
  ['feed readers', 'application/atom+xml, application/rss+xml;q=0.9, text/xml;q=0.5', foreign],
  ['JSON:API clients', 'application/vnd.api+json, */*;q=0.1', json],
  ['HAL clients', 'application/hal+json, application/json', json],
  [
    'openapi-generator with several types',
    'application/json, application/problem+json, text/json',
    json,
  ],
  ['hey-api and openapi-fetch', '*/*', json],
  // what careless code sends
  ['a regular expression passed to supertest', '/json/', foreign],
  ['a missing value in JavaScript', 'undefined', foreign],
  ['a null in JavaScript', 'null', foreign],
  ['an object in JavaScript', '[object Object]', foreign],
  ['None in Python', 'None', foreign],
  ['the value of Accept-Encoding', 'gzip, deflate', foreign],
  ['the value of Accept-Language', 'en-US,en;q=0.5', foreign],
  ['a format instead of a type', 'json', foreign],
  ['any type, in short', '*', json],
  ['any type, in short, with a weight', '*;q=0.8', json],
  ['a weight without its zero', 'application/json;q=.9', json],
  ['a weight with many decimals', 'application/json;q=0.12345', json],
  ['a weight out of range', 'application/json;q=2', foreign],
  ['types without a comma', 'application/json text/plain', foreign],
  ['quotes around everything', '"application/json"', foreign],
  ['a semicolon in place of a comma', 'application/json; text/plain', foreign],
  ['Content-Type with its name', 'Content-Type: application/json', foreign],
]

describe("clients that don't ask for a version", () => {
  it.each(clients)('%s: %s', (_client, accept, { strict: strictStatus }) => {
    const found = lenient.match('GET', '/api/users', accept)
    expect(found).toMatchObject({ kind: 'match', row: { version: 1 }, source: 'default' })
    const rejected = strict.match('GET', '/api/users', accept)
    expect(rejected.kind === 'match' ? 200 : rejected.status).toBe(strictStatus)
  })

  it.each(clients)('%s: %s, and the app pins version 2', (_client, accept) => {
    const pinned = pinning.match('GET', '/api/users', accept, 2)
    expect(pinned).toMatchObject({ kind: 'match', row: { version: 2 }, source: 'pinned' })
  })
})
