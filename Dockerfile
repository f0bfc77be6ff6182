# The program from this checkout, for compose.yml. Agents are not in it: add yours below, or use models over HTTP.
FROM node:24 AS build
WORKDIR /pawl
COPY . .
# Also builds dist. The second line removes what only development needs.
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM node:24
COPY --from=build /pawl/package.json /pawl/LICENSE /pawl/
COPY --from=build /pawl/bin /pawl/bin
COPY --from=build /pawl/dist /pawl/dist
COPY --from=build /pawl/node_modules /pawl/node_modules
# Open to any user, since compose.yml takes yours. The folders are mounted from elsewhere, so git must be told that this is meant.
RUN ln -s /pawl/bin/pawl.cjs /usr/local/bin/pawl \
  && mkdir --mode=1777 /state \
  && git config --system --add safe.directory '*'
ENV HOME=/state
WORKDIR /state
# For example: RUN npm install --global @anthropic-ai/claude-code
USER node
ENTRYPOINT ["pawl"]
