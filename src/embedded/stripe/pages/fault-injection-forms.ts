import type { FaultInjector } from '../test-controls.ts'
import { html, SafeHtml } from './html-template-and-formatting.ts'

export const htmlSelectOptions = (values: [string, string][], selected?: string) =>
  values.map(([value, label]) => html`<option value="${value}" ${value === selected && new SafeHtml('selected')}>${label}</option>`)

export function faultInjectionForms(faultInjector: FaultInjector) {
  const { hold, delay, copies, order } = faultInjector.webhooks
  return html`<section aria-labelledby="trouble"><h2 id="trouble">Make trouble</h2>
    <div class="panels">
      <form class="card" method="post" action="/_/calls">
        <h3>The next API calls</h3>
        <div class="row">
          <label>How many <input name="times" type="number" min="1" max="1000" value="1"></label>
          <label>What happens <select name="what">${htmlSelectOptions([
            ['error before', 'Answer 500'],
            ['error after', 'Do the work, answer 500'],
            ['drop before', 'Drop the connection'],
            ['drop after', 'Do the work, drop the connection'],
            ['hang before', 'Never answer'],
            ['hang after', 'Do the work, never answer'],
            ['slow before', 'Answer after 5 seconds'],
            ['busy before', 'Too many requests (429)'],
            ['lock before', 'Another request has the object (429)'],
            ['refuse before', 'Refuse: the balance is too low'],
          ])}</select></label>
          <label>Only those that begin with <input name="match" placeholder="POST /v1/payment_intents"></label>
        </div>
        <button class="small">Set</button>
        ${faultInjector.calls.map(r => html`<p class="hint">${r.times} × ${r.how} ${r.when} ${r.match || 'any call'}</p>`)}
      </form>
      <form class="card" method="post" action="/_/webhooks">
        <h3>Webhooks</h3>
        <div class="row">
          <label>Delay (ms) <input name="delay" type="number" min="0" max="600000" value="${delay}"></label>
          <label>Copies of each <input name="copies" type="number" min="1" max="10" value="${copies}"></label>
          <label>Order <select name="order">${htmlSelectOptions(
            [
              ['sent', 'As they happened'],
              ['reversed', 'Latest first'],
              ['random', 'Random'],
            ],
            order,
          )}</select></label>
          <label class="check"><input name="hold" type="checkbox" value="true" ${hold && new SafeHtml('checked')}> Keep them back</label>
        </div>
        <button class="small">Set</button>
      </form>
    </div>
    <form class="card" method="post" action="/_/days">
      <h3>Time</h3>
      <p class="hint">Card money becomes available after two days, and what was passed on goes to the bank two days later.</p>
      <div class="row"><label>Days <input name="days" type="number" min="1" max="365" value="2"></label></div>
      <button class="small">Let them pass</button>
    </form>
    <form method="post" action="/_/reset"><button class="small">Stop all trouble</button></form></section>`
}
