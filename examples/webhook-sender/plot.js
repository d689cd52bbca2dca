import * as echarts from "echarts";

/** An SVG of every delivery over time, a row for each process. */
export function plot(deliveries, senders) {
  const first = deliveries[0]?.at ?? 0;
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width: 1_000, height: 260 });
  chart.setOption({
    animation: false,
    title: { text: `${deliveries.length} webhooks from ${senders.length} processes, 10 a second together` },
    grid: { left: 90, right: 30, top: 50, bottom: 50 },
    xAxis: { type: "value", name: "seconds", nameLocation: "middle", nameGap: 28 },
    yAxis: { type: "category", data: senders.map((name) => `process ${name}`) },
    series: [
      {
        type: "scatter",
        symbolSize: 5,
        data: deliveries.map(({ sender, at }) => [(at - first) / 1_000, senders.indexOf(sender)]),
      },
    ],
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
