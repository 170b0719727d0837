import { expect, test } from 'vitest'
import { formatReport } from '../../../src/tools/check/report/reporters/index.ts'
import type { Report } from 'sidecard/check'
import { CLEAN, MARKS, REPORT } from './report-fixture.ts'

test('the report for people lists groups, findings, fixes, times and the verdict', () => {
  expect(formatReport(REPORT, 'human', { width: 72 })).toMatchInlineSnapshot(`
    "https://app.example/billing  7 requests in 1.23 s

      handshake       ✓ 1 passed   – 1 skipped
      components      ✗ 1 failed   ! 1 warning   ≈ 1 known failure
        ✗ component-type  The title of component-type
            components[0]  has no type, which makes a widget an error state
            for every agent who opens the issue
            components[1]  has no type, which makes a widget an error state
            for every agent who opens the issue
            components[2]  has no type, which makes a widget an error state
            for every agent who opens the issue
            components[3]  has no type, which makes a widget an error state
            for every agent who opens the issue
            components[4]  has no type, which makes a widget an error state
            for every agent who opens the issue
            and 2 more
            contract What the contract says about component-type.
            fix      Add a type.
        ! label-unique  The title of label-unique
            repeats
            contract What the contract says about label-unique.
            fix      Rename | it.
        ≈ uri  The title of uri
            components[9]  <b> & \`x\` "it's"
            contract What the contract says about uri.
            fix      Add a type.


      handshake  p50 11 ms   p95 12 ms   p99 13 ms   max 14 ms   (2 responses)

    ✗ date-time passes now. Remove it from the baseline.
    For details, run: npx sidecard check --explain component-type
    1 failed, 1 warning, 1 known failure, 1 passed, 1 skipped. The endpoint violates the contract.
    "
  `)
})

test('the report for GitHub is one command for each finding', () => {
  expect(formatReport(REPORT, 'github')).toMatchInlineSnapshot(`
    "::error title=sidecard component-type::components[0]: has no type, which makes a widget an error state for every agent who opens the issue. Add a type.
    ::error title=sidecard component-type::components[1]: has no type, which makes a widget an error state for every agent who opens the issue. Add a type.
    ::error title=sidecard component-type::components[2]: has no type, which makes a widget an error state for every agent who opens the issue. Add a type.
    ::error title=sidecard component-type::components[3]: has no type, which makes a widget an error state for every agent who opens the issue. Add a type.
    ::error title=sidecard component-type::components[4]: has no type, which makes a widget an error state for every agent who opens the issue. Add a type.
    ::error title=sidecard component-type::components[5]: has no type, which makes a widget an error state for every agent who opens the issue. Add a type.
    ::error title=sidecard component-type::components[6]: has no type, which makes a widget an error state for every agent who opens the issue. Add a type.
    ::notice title=sidecard label-unique::repeats. Rename | it.
    ::error title=sidecard baseline::date-time passes now. Remove it from the baseline.
    ::error title=sidecard check::https://app.example/billing: The endpoint violates the contract. 1 failed, 1 warning, 1 known failure, 1 passed, 1 skipped
    "
  `)
})

test('the report in JUnit is one test case for each rule', () => {
  expect(formatReport(REPORT, 'junit')).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="sidecard check https://app.example/billing" tests="7" failures="3" time="1.234" timestamp="2026-11-21T09:30:00.000Z">
      <testsuite name="handshake" tests="2" failures="0" skipped="1">
        <testcase classname="sidecard.handshake" name="handshake-status: The title of handshake-status"/>
        <testcase classname="sidecard.handshake" name="handshake-code: The title of handshake-code">
          <skipped message="no secret was passed"/>
        </testcase>
      </testsuite>
      <testsuite name="components" tests="3" failures="1" skipped="0">
        <testcase classname="sidecard.components" name="component-type: The title of component-type">
          <failure type="MUST" message="components[0]: has no type, which makes a widget an error state for every agent who opens the issue">components[0]: has no type, which makes a widget an error state for every agent who opens the issue
    fix: Add a type.
    components[1]: has no type, which makes a widget an error state for every agent who opens the issue
    fix: Add a type.
    components[2]: has no type, which makes a widget an error state for every agent who opens the issue
    fix: Add a type.
    components[3]: has no type, which makes a widget an error state for every agent who opens the issue
    fix: Add a type.
    components[4]: has no type, which makes a widget an error state for every agent who opens the issue
    fix: Add a type.
    components[5]: has no type, which makes a widget an error state for every agent who opens the issue
    fix: Add a type.
    components[6]: has no type, which makes a widget an error state for every agent who opens the issue
    fix: Add a type.
    contract: What the contract says about component-type.
    see: sidecard check --explain component-type</failure>
        </testcase>
        <testcase classname="sidecard.components" name="label-unique: The title of label-unique">
          <system-out>repeats
    fix: Rename | it.
    contract: What the contract says about label-unique.
    see: sidecard check --explain label-unique</system-out>
        </testcase>
        <testcase classname="sidecard.components" name="uri: The title of uri">
          <system-out>components[9]: &lt;b&gt; &amp; \`x\` &quot;it&#39;s&quot;
    fix: Add a type.
    contract: What the contract says about uri.
    see: sidecard check --explain uri</system-out>
        </testcase>
      </testsuite>
      <testsuite name="baseline" tests="1" failures="1" skipped="0">
        <testcase classname="sidecard.baseline" name="date-time">
          <failure message="passes now: remove it from the baseline"/>
        </testcase>
      </testsuite>
      <testsuite name="verdict" tests="1" failures="1" skipped="0">
        <testcase classname="sidecard.verdict" name="violates">
          <failure message="The endpoint violates the contract."/>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `)
})

test('the report for people has colors, and a width of 100 columns', () => {
  expect(formatReport(REPORT, 'human', { palette: MARKS })).toMatchInlineSnapshot(`
    "bold(https://app.example/billing)  dim(7 requests in 1.23 s)

      bold(handshake       )green(✓) 1 passed   dim(–) 1 skipped
      bold(components      )red(✗) 1 failed   yellow(!) 1 warning   dim(≈) 1 known failure
        red(✗) bold(component-type)  The title of component-type
            cyan(components[0])  has no type, which makes a widget an error state for every agent who opens
            the issue
            cyan(components[1])  has no type, which makes a widget an error state for every agent who opens
            the issue
            cyan(components[2])  has no type, which makes a widget an error state for every agent who opens
            the issue
            cyan(components[3])  has no type, which makes a widget an error state for every agent who opens
            the issue
            cyan(components[4])  has no type, which makes a widget an error state for every agent who opens
            the issue
            dim(and 2 more)
            dim(contract )What the contract says about component-type.
            dim(fix      )Add a type.
        yellow(!) bold(label-unique)  The title of label-unique
            repeats
            dim(contract )What the contract says about label-unique.
            dim(fix      )Rename | it.
        dim(≈) bold(uri)  The title of uri
            cyan(components[9])  <b> & \`x\` "it's"
            dim(contract )What the contract says about uri.
            dim(fix      )Add a type.


      dim(handshake  p50 11 ms   p95 12 ms   p99 13 ms   max 14 ms   (2 responses))

    red(✗) date-time passes now. Remove it from the baseline.
    dim(For details, run: npx sidecard check --explain component-type)
    1 failed, 1 warning, 1 known failure, 1 passed, 1 skipped. red(bold(The endpoint violates the contract.))
    "
  `)
})

test('the report for people about an endpoint that conforms is short', () => {
  expect(formatReport(CLEAN, 'human', { palette: MARKS })).toMatchInlineSnapshot(`
    "bold(https://app.example/billing)  dim(7 requests in 12 s)

      bold(handshake       )green(✓) 1 passed   dim(–) 1 skipped

      dim(handshake  p50 11 ms   p95 12 ms   p99 13 ms   max 14 ms   (2 responses))

    1 passed, 1 skipped. green(bold(The endpoint conforms to the contract.))
    "
  `)
  const warned = { ...CLEAN, results: [...CLEAN.results, ...REPORT.results.slice(3, 4)] }
  expect(formatReport(warned, 'human')).toContain(
    'For details, run: npx sidecard check --explain label-unique\n',
  )
})

test('the report for people about an unreachable endpoint has no counts and no details', () => {
  const report: Report = { ...REPORT, verdict: 'not_proven', unreachable: true, stale: [] }
  const text = formatReport(report, 'human')
  expect(text).toMatch(/\(2 responses\)\n\nThe endpoint is unreachable\.\n$/)
  expect(formatReport(report, 'github')).toMatch(
    /\n::error title=sidecard check::https:\/\/app\.example\/billing: The endpoint is unreachable\.\n$/,
  )
})

test('the report in JUnit has a suite for each group with results, and passes if the run does', () => {
  expect(formatReport(CLEAN, 'junit')).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="sidecard check https://app.example/billing" tests="3" failures="0" time="12.345" timestamp="2026-11-21T09:30:00.000Z">
      <testsuite name="handshake" tests="2" failures="0" skipped="1">
        <testcase classname="sidecard.handshake" name="handshake-status: The title of handshake-status"/>
        <testcase classname="sidecard.handshake" name="handshake-code: The title of handshake-code">
          <skipped message="no secret was passed"/>
        </testcase>
      </testsuite>
      <testsuite name="verdict" tests="1" failures="0" skipped="0">
        <testcase classname="sidecard.verdict" name="conforms: The endpoint conforms to the contract."/>
      </testsuite>
    </testsuites>
    "
  `)
})
