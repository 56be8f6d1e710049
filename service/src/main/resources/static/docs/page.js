// validatorUrl: the badge would send the contract to a server on the internet.
SwaggerUIBundle({ url: "/openapi.yaml", dom_id: "#api", deepLinking: true, validatorUrl: null });
