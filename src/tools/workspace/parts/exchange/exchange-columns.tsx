import type { ExchangeView } from '../../../emulator/protocol/exchanges.ts'
import { FailureList } from '../failure/failure-list.tsx'
import { Section } from '../section.tsx'
import { Diff } from './diff.tsx'
import { ConsolePart, DetailFindings, RequestPart, ResponsePart } from './exchange-parts.tsx'
import { Waterfall } from './waterfall.tsx'
import style from './inspector.module.css'

interface ExchangeColumnsProps {
  readonly exchange: ExchangeView
  /** The request to compare with. @default see {@link Diff} */
  readonly otherId?: string | undefined
}

/** All parts of a request, with the response first. */
export function ExchangeColumns({ exchange, otherId }: ExchangeColumnsProps) {
  const { kind, failures, findings, explanation, timing, response } = exchange
  return (
    <div class={style.columns}>
      <div>
        {failures.length > 0 && (
          <Section title="Failures">
            <FailureList failures={failures} findings={findings} />
          </Section>
        )}
        {explanation !== null && (
          <Section title="Explanation">
            <p>{explanation.saw}</p>
            <p>{explanation.why}</p>
          </Section>
        )}
        <ResponsePart exchange={exchange} />
        <DetailFindings exchange={exchange} />
      </div>
      <div>
        <Waterfall exchange={exchange} />
        <Diff key={exchange.id} exchange={exchange} otherId={otherId} />
        <RequestPart exchange={exchange} />
        <ConsolePart exchange={exchange} />
        {timing.length === 0 && kind === 'fetch_data' && response !== null && (
          <p class="hint">
            The endpoint sent no Server-Timing. With <code>instrument: serverTiming()</code>, it
            shows what each section and lookup took.
          </p>
        )}
      </div>
    </div>
  )
}
