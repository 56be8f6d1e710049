/** Operations whose tag, path, summary or id contains the text of the filter box, in any case. */
const filterAll = () => ({
  fn: {
    opsFilter: (tags, phrase) => {
      const text = phrase.toLowerCase();
      const matches = (value) => (value ?? "").toLowerCase().includes(text);
      const found = (operation) =>
        matches(operation.get("path")) || ["summary", "operationId"].some((name) => matches(operation.getIn(["operation", name])));
      return tags
        .map((tag, name) => (matches(name) ? tag : tag.update("operations", (operations) => operations.filter(found))))
        .filter((tag) => tag.get("operations").size > 0);
    },
  },
});

SwaggerUIBundle({
  url: "/openapi.yaml",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: true,
  plugins: [filterAll],
  validatorUrl: null, // the badge would send the contract to a server on the internet
});
