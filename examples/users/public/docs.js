// Reads /openapi/v<n>.json and shows a form for each operation. "Send" sends the request to the service.
const $ = (id) => document.getElementById(id)
const versions = document.body.dataset.versions.split(',')

/** Creates an element with properties and children. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

const exampleOf = (schema) =>
  Object.fromEntries(
    Object.keys(schema.properties ?? {}).map((key) => [key, key === 'password' ? 'correct horse' : '']),
  )

async function show(version) {
  const spec = await (await fetch(`/openapi/v${version}.json`)).json()
  $('about').textContent = spec.info.description.replaceAll('`', '')
  const forms = Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => formOf(version, method.toUpperCase(), path, operation)),
  )
  $('operations').replaceChildren(...forms)
}

function formOf(version, method, path, { operationId, summary = '', parameters, requestBody, security }) {
  const inputs = parameters.map(({ name, in: place, description = '' }) => ({
    name,
    place,
    input: make('input', { name, placeholder: description, required: place === 'path' }),
  }))
  const schema = requestBody?.content['application/json'].schema
  const body = schema && make('textarea', { rows: 5, value: JSON.stringify(exampleOf(schema), null, 2) })
  const answer = make('pre', { hidden: true })
  const form = make(
    'form',
    {},
    make('div', { textContent: security?.length === 0 ? 'No token needed.' : 'Needs a token.' }),
    ...inputs.map(({ name, input }) => make('label', {}, name, input)),
    ...(body ? [make('label', {}, 'body', body)] : []),
    make('button', { textContent: 'Send' }),
    answer,
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    answer.hidden = false
    answer.textContent = await send(version, method, path, inputs, body?.value)
  })
  const title = make('summary', {}, make('b', { textContent: method }), `${path}  ${summary}`)
  return make('details', { id: operationId }, title, form)
}

async function send(version, method, path, inputs, body) {
  let url = path
  const query = new URLSearchParams()
  for (const { name, place, input } of inputs)
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(input.value))
    else if (input.value !== '') query.set(name, input.value)
  const headers = { accept: `application/vnd.users+json;version=${version}` }
  if ($('token').value !== '') headers.authorization = `Bearer ${$('token').value}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  try {
    const response = await fetch(`${url}${query.size > 0 ? `?${query}` : ''}`, { method, headers, body })
    const text = await response.text()
    const parsed = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
    if (parsed.jwt) $('token').value = parsed.jwt
    const shown = ['content-type', 'api-version', 'location', 'link', 'retry-after']
      .filter((name) => response.headers.has(name))
      .map((name) => `${name}: ${response.headers.get(name)}`)
    return [`${response.status} ${response.statusText}`, ...shown, '', JSON.stringify(parsed, null, 2)].join('\n')
  } catch (error) {
    return String(error)
  }
}

$('version').append(...versions.map((version) => make('option', { value: version, textContent: version })))
$('version').addEventListener('change', ({ target }) => void show(target.value))
await show(versions[0])
