"use strict";
(function () {
	// What a cell is sorted by: its number, else its text; "-" is behind everything.
	function key(row, n) {
		const cell = row.cells[n];
		if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
		return cell.textContent === "-" ? null : cell.textContent;
	}
	const texts = new Intl.Collator("en", { numeric: true });
	function compare(a, b) {
		if (typeof a === "number" && typeof b === "number") return a - b;
		if (typeof a === "number") return -1;
		if (typeof b === "number") return 1;
		return texts.compare(a, b);
	}
	function sort(table, n) {
		const head = table.tHead.rows[0].cells, up = head[n].getAttribute("aria-sort") !== "ascending";
		for (const h of head) h.removeAttribute("aria-sort");
		head[n].setAttribute("aria-sort", up ? "ascending" : "descending");
		const body = table.tBodies[0];
		const rows = Array.from(body.rows, r => [key(r, n), r]);
		rows.sort((a, b) => {
			if (a[0] === null || b[0] === null) return (a[0] === null) - (b[0] === null);
			return up ? compare(a[0], b[0]) : compare(b[0], a[0]);
		});
		body.append(...rows.map(r => r[1]));
	}
	function element(name, props, ...children) {
		const e = Object.assign(document.createElement(name), props);
		e.append(...children);
		return e;
	}
	// A large table gets a line of tools: a search in all texts, and a choice for each column with few.
	function filters(table) {
		const frame = table.closest(".scroll"), rows = Array.from(table.tBodies[0].rows);
		const search = element("input", { type: "search" }), shown = element("output");
		const choices = [];
		Array.from(table.tHead.rows[0].cells).forEach((h, n) => {
			if (!("filter" in h.dataset)) return;
			const values = Array.from(new Set(rows.map(r => r.cells[n].textContent)));
			if (values.length < 2) return;
			const select = element("select", {}, element("option", { value: "", textContent: "all" }));
			for (const v of values) select.append(element("option", { value: "=" + v, textContent: v }));
			choices.push({ n, select, name: h.textContent });
		});
		function apply() {
			const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
			let count = 0;
			for (const r of rows) {
				const text = r.textContent.toLowerCase();
				r.hidden = !(words.every(w => text.includes(w)) &&
					choices.every(c => c.select.value === "" || c.select.value === "=" + r.cells[c.n].textContent));
				if (!r.hidden) count++;
			}
			shown.textContent = count + " of " + rows.length + " lines";
		}
		const reset = element("button", { type: "button", textContent: "Show all" });
		reset.addEventListener("click", () => { search.value = ""; for (const c of choices) c.select.value = ""; apply(); });
		search.addEventListener("input", apply);
		for (const c of choices) c.select.addEventListener("change", apply);
		const tools = element("div", { className: "tools" }, element("label", {}, "search", search),
			...choices.map(c => element("label", {}, c.name, c.select)), reset, shown);
		tools.setAttribute("role", "group");
		tools.setAttribute("aria-label", "Filter: " + table.caption.textContent);
		shown.setAttribute("aria-live", "polite");
		const both = element("div", { className: "large-frame" });
		frame.replaceWith(both);
		both.append(tools, frame);
		apply();
	}
	for (const table of document.querySelectorAll("table.sortable")) {
		if (table.classList.contains("large")) filters(table);
		Array.from(table.tHead.rows[0].cells).forEach((h, n) => {
			const button = element("button", { type: "button" }, ...h.childNodes);
			button.addEventListener("click", () => sort(table, n));
			h.append(button);
		});
	}
	// On paper figures and evidence are open; long tables are if the reader opened them.
	let closed = [];
	addEventListener("beforeprint", () => {
		closed = Array.from(document.querySelectorAll("details:not([open])")).filter(d => d.closest(".verdict") || d.querySelector("figure"));
		for (const d of closed) d.open = true;
	});
	addEventListener("afterprint", () => { for (const d of closed) d.open = false; });
})();
