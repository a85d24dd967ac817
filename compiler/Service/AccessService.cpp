// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/AccessService.h"

#include "compiler/Service/Machine.h"

namespace tilescope::service {
namespace {

/// A question that counts takes so long; then others have their turn.
constexpr double MillisecondsPerCount = 50;

const ErrorKind &kindOf(const Error &error) {
  for (const ErrorKind *kind : {&errors::UnknownProgram, &errors::UnknownAccess, &errors::NotLowered})
    if (kind->id == error.id)
      return *kind;
  return errors::Evicted;
}

} // namespace

bool AccessService::open(const std::shared_ptr<Session> &session, int launch, const std::string &gpu,
                         Responder &responder) {
  if (m_open && m_open->session == session && m_open->launch == launch && m_open->gpu == gpu)
    return true;
  const model::Gpu *found = gpuByName(gpu);
  std::optional<LaunchCode> source = session->launchCode(launch);
  if (!found || !source) {
    found ? responder.fail(errors::UnknownLaunch) : responder.fail(errors::UnknownGpu, {gpu});
    return false;
  }
  close();
  auto made = LaunchAccesses::make(std::move(source->kernel), std::move(source->launch), *found, session->memory());
  if (!made) {
    responder.fail(errors::NotLowered);
    return false;
  }
  m_open = Open{session, launch, gpu, std::move(*made)};
  return true;
}

template <typename Request, typename Ask>
void AccessService::reply(const Request &request, const ResponderPtr &responder, Ask ask) {
  const std::shared_ptr<Session> session = m_sessionOf(request.run, responder);
  if (!session)
    return;
  const std::unique_lock memory = session->lockMemory();
  if (!memory)
    return responder->fail(errors::Busy);
  if (!open(session, request.launch, request.gpu, *responder))
    return;
  const auto result = ask(*m_open->accesses);
  if (result)
    responder->result(protocol::toJson(*result));
  else
    responder->fail(kindOf(result.error()), result.error().arguments);
}

void AccessService::addMethods(Server &server) {
  server.onRequest<protocol::AccessDetailRequest>(
      "tilescope/access", [this](const protocol::AccessDetailRequest &request, const ResponderPtr &responder) {
        reply(request, responder, [&](LaunchAccesses &accesses) { return accesses.detail(request); });
      });
  server.onRequest<protocol::AccessCountRequest>(
      "tilescope/access/count", [this](const protocol::AccessCountRequest &request, const ResponderPtr &responder) {
        reply(request, responder,
              [&](LaunchAccesses &accesses) { return accesses.count(request.access, MillisecondsPerCount); });
      });
}

} // namespace tilescope::service
